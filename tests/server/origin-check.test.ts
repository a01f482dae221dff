import type { AnyProcedure } from "@trpc/server";
import { beforeAll, describe, expect, test } from "vitest";
import { appRouter } from "#server/router.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const procedures = Object.entries<AnyProcedure>(appRouter._def.procedures as never);
const MUTATIONS = procedures.filter(([, { _def }]) => _def.type === "mutation").map(([name]) => name);

const store = testStore();
let visitor: ApiClient;
let restCalls: string[];
beforeAll(async () => {
  visitor = (await signedInStudent(store)).visitor;
  const { body } = await visitor.get("/api/v1/openapi.json");
  restCalls = Object.entries<object>(body.paths)
    .filter(([, methods]) => "post" in methods)
    .map(([path]) => `/api/v1${path}`);
});

describe("every call that changes something", () => {
  test.each<Record<string, string>>([
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { Origin: "http://127.0.0.1:1" },
    { Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ])("is refused to a page of another origin: %j", async (headers) => {
    const calls = [...restCalls, ...MUTATIONS.map((name) => `/api/trpc/${name}`)];
    expect(calls.length).toBeGreaterThan(50);
    for (const path of calls) {
      const { status, body } = await visitor.post(path, {}, headers);
      expect([path, status, body.message ?? body.error.message]).toEqual([
        path,
        403,
        "This request did not come from the store's own pages",
      ]);
    }
  });

  test("is refused to another site, whatever content type it sends", async () => {
    const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=line"];
    for (const path of ["/api/v1/users/logout", "/api/v1/uploads", "/api/trpc/accounts.logout"]) {
      for (const type of types) {
        const headers = { "Content-Type": type, Origin: "https://evil.example" };
        expect([path, type, (await visitor.post(path, {}, headers)).status]).toEqual([path, type, 403]);
      }
    }
  });

  test.each<Record<string, string>>([
    {},
    { "Sec-Fetch-Site": "same-origin" },
    { "Sec-Fetch-Site": "none" },
    { Origin: "THE STORE" },
  ])("is accepted from the store's own pages, and from programs: %j", async (headers) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("THE STORE", store.url)]),
    );
    expect((await store.visitor().post("/api/trpc/accounts.logout", {}, own)).status).toBe(200);
  });

  test("refuses GET", async () => {
    for (const name of MUTATIONS) {
      const { status } = await visitor.get(`/api/trpc/${name}?input=%7B%7D`);
      expect([name, status]).toEqual([name, 405]);
    }
    for (const path of restCalls) expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  });
});
