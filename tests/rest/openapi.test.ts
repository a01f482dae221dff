import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import createClient from "openapi-fetch";
import openapiTS from "openapi-typescript";
import { describe, expect, expectTypeOf, test } from "vitest";
import type { OrderState } from "#shared/order-states.ts";
import { orderAt } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { newestCode, newStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";
import type { components, paths } from "./api-v1.gen.ts";

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
  "POST /uploads/approve",
  "POST /users/reset-password",
];

const store = testStore();

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
          expect.arrayContaining(["200", "400", "403", "413", "415", "500", "503"]),
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
    const paths = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    const answers = paths.map(async (path) => {
      const { status, headers } = await store.visitor().fetch(path);
      return [path, status, headers.get("content-type"), headers.get("cache-control")];
    });
    const day = "public, max-age=86400";
    expect(await Promise.all(answers)).toEqual([
      ["/api/v1/docs/swagger-ui.css", 200, "text/css", day],
      ["/api/v1/docs/swagger-ui-bundle.js", 200, "text/javascript", day],
      ["/api/v1/docs/start.js", 200, "text/javascript", expect.anything()],
    ]);
    expect(page.headers.get("content-security-policy")).toContain("default-src 'self';");
  });

  test("names the address below which its calls are", async () => {
    const { body } = await store.visitor().get("/api/v1/openapi.json");
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual(["/api/v1"]);
  });
});

describe("a client generated from the OpenAPI document", () => {
  /** After a wanted change: `npx vitest run --project rest tests/rest/openapi.test.ts -u`. */
  test("has the types of api-v1.gen.ts", async () => {
    const { body } = await store.visitor().get("/api/v1/openapi.json");
    const types = await openapiTS(body, {
      transform: ({ format }) => (format === "binary" ? "Blob" : undefined),
    });
    await expect(types).toMatchFileSnapshot("api-v1.gen.ts");
  });

  test("registers, verifies, logs in, uploads a PDF and orders", async () => {
    const { fullName, email, phone, password } = newStudent();
    const api = generatedClient();

    const registered = await api.POST("/users/register", {
      body: { fullName, email, phone, password, confirmpassword: password },
    });
    expect(registered.data?.data).toEqual({ fullName, email, phone });
    const verifyCode = await newestCode(store, email);
    const verified = await api.POST("/users/verify-account", { body: { verifyCode, phone } });
    expect(verified.data?.data).toEqual({ phone });
    const loggedIn = await api.POST("/users/login", { body: { email, password } });
    expect(loggedIn.data?.data).toMatchObject({ fullName, email, phone, role: "customer" });

    const uploaded = await api.POST("/uploads", {
      body: { file: new Blob([await pdfOfPages(12)]), upload_preset: "documents" },
      bodySerializer: toForm,
    });
    expect(uploaded.data).toMatchObject({ pages: 12, format: "pdf", original_filename: "notes.pdf" });

    const shops = await api.GET("/prints/shopslocation", { params: { query: { search: "Red Soil" } } });
    const id = shops.data?.data[0]?._id ?? "";
    const shop = await api.GET("/prints/shopdata", { params: { query: { id } } });
    if (!shop.data || !uploaded.data) throw new Error("There is no shop, or no upload");
    const filesUrl = [uploaded.data.secure_url];
    const order = orderAt(shop.data.data, { pages: 12, copies: 2, filesUrl });
    const params = { header: { "Idempotency-Key": "one" } };
    const placed = await api.POST("/prints/printorder", { params, body: order });

    expect(placed.error).toBeUndefined();
    expect(placed.data?.data).toMatchObject({ status: "placed", orderValue: order.orderValue });
    const again = await api.POST("/prints/printorder", { params, body: order });
    expect(again.data?.data._id).toBe(placed.data?.data._id);
  });

  test("is told by type what a response and a failure hold", async () => {
    const api = generatedClient();
    const { data, error, response } = await api.POST("/prints/printorder", { body: {} as never });
    expect([data, error?.code, response.status]).toEqual([undefined, "UNAUTHENTICATED", 401]);
    type Placed = NonNullable<typeof data>["data"];
    expectTypeOf<Placed["status"]>().toEqualTypeOf<OrderState>();
    expectTypeOf<Placed["orderValue"]["orderTotal"]>().toEqualTypeOf<number>();
    expectTypeOf(error?.message).toEqualTypeOf<string | undefined>();
  });
});

/** A client of one visitor, who keeps cookies as a browser does. */
function generatedClient() {
  const visitor = store.visitor();
  return createClient<paths>({
    baseUrl: `${store.url}/api/v1`,
    async fetch(request) {
      const { url, method, headers } = request;
      const body = method === "GET" ? undefined : await request.arrayBuffer();
      return visitor.fetch(url, { method, headers, body });
    },
  });
}

type Schemas = components["schemas"];

function toForm({ file, upload_preset = "" }: Schemas["UploadForm"]): FormData {
  const form = new FormData();
  form.set("upload_preset", upload_preset);
  form.set("file", file, "notes.pdf");
  return form;
}
