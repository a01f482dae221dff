import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

/** The contract's calls, the one in the place of its hosting service, and the recovery that it leaves open. */
const CALLS = [
  "POST /users/fpmail",
  "POST /users/generate-otp-for-login",
  "POST /users/login",
  "GET /users/getuser",
  "POST /users/login-with-otp",
  "POST /users/register",
  "POST /users/verify-account",
  "POST /users/logout",
  "GET /prints/shopslocation",
  "GET /prints/shopdata",
  "POST /prints/printorder",
  "POST /users/contactus",
  "POST /uploads",
  "POST /users/reset-password",
];

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.stop());

describe("the OpenAPI document", () => {
  test("is valid", async () => {
    const { body } = await store.visitor().get("/api/v1/openapi.json");
    const result = await new Validator().validate(body);
    expect(result.errors ?? []).toEqual([]);
  });

  test("follows all of Redocly's recommended rules", async () => {
    const { body } = await store.visitor().get("/api/v1/openapi.json");
    const config = await createConfig({ extends: ["recommended"] });
    const problems = await lintFromString({ source: JSON.stringify(body), config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    ).toEqual([]);
  });

  test("describes exactly the existing calls, each with its failures", async () => {
    const { paths } = (await store.visitor().get("/api/v1/openapi.json")).body;
    const described = Object.entries<Record<string, { responses: object }>>(paths).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([...CALLS].sort());
    for (const methods of Object.values<Record<string, { responses: object }>>(paths)) {
      for (const { responses } of Object.values(methods)) {
        expect(Object.keys(responses)).toEqual(
          expect.arrayContaining(["200", "400", "403", "413", "415", "500"]),
        );
      }
    }
  });

  test("asks for a session where the server does, and only there", async () => {
    const { paths, components } = (await store.visitor().get("/api/v1/openapi.json")).body;
    expect(components.securitySchemes.session).toMatchObject({
      type: "apiKey",
      in: "cookie",
      name: "session",
    });
    const operations = Object.entries<Record<string, { security: object[] }>>(paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => ({ method, path, security })),
    );
    for (const { method, path, security } of operations) {
      const body = method === "get" ? undefined : "{}";
      const headers = { "Content-Type": "application/json" };
      const { status } = await store.visitor().send(method.toUpperCase(), `/api/v1${path}`, body, headers);
      expect([path, status === 401 ? [{ session: [] }] : []]).toEqual([path, security]);
    }
  });

  test("is shown by a page that loads nothing from other hosts", async () => {
    const page = await store.visitor().fetch("/api/v1/docs");
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).not.toMatch(/https?:\/\//);
    for (const [, path = ""] of html.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect((await store.visitor().fetch(path)).status).toBe(200);
    }
  });
});
