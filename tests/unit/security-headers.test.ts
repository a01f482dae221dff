import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import type { Deps } from "#server/context.ts";
import { toAppError } from "#server/errors.ts";
import type { Env } from "#server/http/request-context.ts";
import { originCheck, securityHeaders } from "#server/http/security-headers.ts";

describe("the security headers", () => {
  /** The headers of this path's response. */
  async function headersOf(path: string, publicUrl: string | null = null) {
    const app = new Hono<Env>();
    app.use(async (c, next) => {
      c.set("requestId", "r1");
      await next();
    });
    app.use(securityHeaders({ publicUrl }));
    app.get("/unchanged", (c) => c.body(null, 304, { "Content-Security-Policy": "default-src 'self'" }));
    app.get("/policy", (c) => c.text("page", 200, { "Content-Security-Policy": "default-src 'self'" }));
    app.get("*", (c) => c.text("found", 200, { "X-Request-Id": "of another" }));
    return Object.fromEntries((await app.request(path)).headers);
  }

  test("are those of pages or of the API, and name the request", async () => {
    const [page, api] = [await headersOf("/"), await headersOf("/api/v1/shops")];
    for (const headers of [page, api])
      expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "x-request-id": "r1" });
    expect(page["content-security-policy"]).toBe("frame-ancestors 'none'");
    expect(page["cache-control"]).toBeUndefined();
    expect(api["content-security-policy"]).toContain("default-src 'none'");
    expect(api["cache-control"]).toBe("no-store");
  });

  test("leave a response the policy of its own, and a 304 that of the copy", async () => {
    expect((await headersOf("/policy"))["content-security-policy"]).toBe("default-src 'self'");
    const unchanged = await headersOf("/unchanged");
    expect(unchanged["content-security-policy"]).toBeUndefined();
    expect(unchanged["x-content-type-options"]).toBe("nosniff");
  });

  test("demand https where the store has it, and only there", async () => {
    const demanded = async (publicUrl: string | null) =>
      (await headersOf("/", publicUrl))["strict-transport-security"];
    expect(await demanded("https://print.example")).toBe("max-age=63072000; includeSubDomains");
    expect(await demanded("http://print.example")).toBeUndefined();
    expect(await demanded(null)).toBeUndefined();
  });
});

describe("a request that changes something", () => {
  const deps = { config: { publicUrl: "https://print.example" }, publicUrl: () => "https://print.example" };

  async function answerTo(method: string, headers: Record<string, string>): Promise<string> {
    const app = new Hono();
    app.onError((error, c) => c.text(toAppError(error).code, 403));
    app.use(originCheck(deps as unknown as Pick<Deps, "config" | "publicUrl">));
    app.all("*", (c) => c.text("done"));
    const response = await app.request("/", { method, headers });
    return method === "HEAD" ? String(response.status) : response.text();
  }

  test.each<Record<string, string>>([
    {},
    { origin: "https://print.example" },
    { origin: "https://print.example", "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
  ])("comes from the store's own pages or from a program: %j", async (headers) => {
    for (const method of ["POST", "PUT", "DELETE"]) expect(await answerTo(method, headers)).toBe("done");
  });

  test.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("is refused to another site's page, which may only read: %j", async (headers) => {
    for (const method of ["POST", "PUT", "DELETE"]) expect(await answerTo(method, headers)).toBe("FORBIDDEN");
    expect([await answerTo("GET", headers), await answerTo("HEAD", headers)]).toEqual(["done", "200"]);
  });
});
