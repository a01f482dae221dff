import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainPdf } from "../factories/pdfs.ts";
import { shopIds, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import { codeAt, removeHours } from "../factories/visits.ts";
import { ApiClient } from "../setup/api-client.ts";
import { freePort } from "../setup/free-port.ts";
import { startTestStore, type TestStore, testStore } from "../setup/test-store.ts";

const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** On every response. */
const ALWAYS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-request-id": expect.stringMatching(/^[\w-]{16,}$/),
};

const store = testStore();

describe("every response", () => {
  test.each([
    "/api/v1/prints/shopslocation",
    "/api/v1/users/getuser",
    "/api/v1/nothing",
    "/api/trpc/accounts.me",
    "/api/v1/docs",
    "/files/none",
    "/healthz",
    "/",
    "/reset-password?token=of-somebody",
    "/admin",
    "/nowhere",
    "/assets/none.js",
    "/shop-photos/none.webp",
    "/my-data",
    "/mailbox",
    "/payment-address?token=of-somebody",
    "/shop-email?token=of-somebody",
  ])("forbids sniffing, framing and referrers to other sites: %s", async (path) => {
    const foreign = { Origin: "https://evil.example", "Access-Control-Request-Method": "GET" };
    const { headers } = await store.visitor().send("GET", path, undefined, foreign);
    expect(Object.fromEntries(headers)).toMatchObject({
      ...ALWAYS,
      "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
    });
    const preflight = await store.visitor().send("OPTIONS", path, undefined, foreign);
    for (const answer of [headers, preflight.headers])
      expect(answer.get("access-control-allow-origin")).toBeNull();
  });

  test("has these headers whatever its status is", async () => {
    const { visitor, student } = await signedInStudent(store);
    const path = "/api/v1/users/login";
    const etag = (await store.visitor().get("/faq")).headers.get("etag") ?? "";
    const json = { "Content-Type": "application/json" };
    const answers = [
      await visitor.post(path, student),
      await store.visitor().send("GET", "/faq", undefined, { "If-None-Match": etag }),
      await visitor.send("GET", "/login"),
      await visitor.send("POST", path, "{", json),
      await visitor.post(path, { ...student, password: "a guess" }),
      await visitor.post(path, student, { Origin: "https://evil.example" }),
      await visitor.get("/api/v1/nothing"),
      await visitor.send("POST", path, "x".repeat(9000), json),
      await visitor.post(path, {}),
      await visitor.get("/api/trpc/%ff"),
    ];
    const faults = answers.map(({ status, headers }) => ({ status, ...Object.fromEntries(headers) }));
    expect(faults).toEqual(answers.map(({ status }) => expect.objectContaining({ status, ...ALWAYS })));
    expect(answers.map(({ status }) => status)).toEqual([200, 304, 307, 400, 401, 403, 404, 413, 422, 400]);
    // A browser would put the policy of a 304 in the place of the one that its copy came with.
    const withoutPolicy = answers.filter(({ headers }) => !headers.has("content-security-policy"));
    expect(withoutPolicy.map(({ status }) => status)).toEqual([304]);
  });

  test("of the API is not rendered, cached or readable by pages of other sites", async () => {
    const { visitor } = await signedInStudent(store);
    for (const path of ["/api/v1/users/getuser", "/api/trpc/accounts.me", "/api/v1/nothing"]) {
      const { headers } = await visitor.send("GET", path, undefined, { Origin: "https://evil.example" });
      expect(headers.get("content-security-policy")).toBe(NO_PAGE);
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });

  test.each([
    [
      "/api/v1/docs",
      "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ],
    [
      "/mailbox",
      "default-src 'none'; style-src-elem HASH HASH; img-src data:; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ],
    [
      "/payment-address?token=none",
      "default-src 'none'; style-src HASH; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ],
    ["/healthz", "frame-ancestors 'none'"],
  ])(
    "has a policy without inline scripts and without other hosts where the server writes the page itself: %s",
    async (path, policy) => {
      const { headers } = await store.visitor().get(path);
      expect(headers.get("content-security-policy")?.replaceAll(/'sha256-[\w+/]{43}='/g, "HASH")).toBe(
        policy,
      );
    },
  );

  test("to TRACE echoes nothing", async () => {
    const { hostname, port } = new URL(store.url);
    const [status, echoed] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const trace = request({
        hostname,
        port,
        method: "TRACE",
        path: "/",
        headers: { Cookie: "session=secret" },
      });
      trace.on("error", reject);
      trace.on("response", async (response) =>
        resolve([response.statusCode, (await response.toArray()).join("")]),
      );
      trace.end();
    });
    expect(status).toBe(404);
    expect(echoed).not.toContain("secret");
  });
});

describe("the program's own folders", () => {
  test.each([
    "/.git/HEAD",
    "/.gitignore",
    "/.vite/manifest.json",
    "/package.json",
    "/assets/",
    "/admin/assets/",
    "/shop-photos/",
    "/files/",
    "/assets/../../../package.json",
    "/assets/%2e%2e/%2e%2e/%2e%2e/package.json",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/assets/..%5c..%5c..%5cpackage.json",
    "/admin/assets/..%2f..%2f..%2fpackage.json",
    "/..%2f..%2fpackage.json",
    "//etc/passwd",
  ])("are neither served nor listed: %s", async (path) => {
    const { hostname, port } = new URL(store.url);
    const asking = request({ hostname, port, path }).end();
    const [response] = await once(asking, "response");
    const body = (await response.toArray()).join("");
    // A slash at the end of what may be a page's address is taken off.
    expect(response.statusCode).toBe(["/shop-photos/", "/files/"].includes(path) ? 307 : 404);
    expect(/"dependencies"|node_modules|ref: refs|root:x/.exec(body)).toBeNull();
  });
});

describe("over https", () => {
  let safe: TestStore;
  beforeAll(async () => {
    const port = await freePort();
    const published = await startTestStore({ PUBLIC_URL: "https://print.example", PORT: String(port) });
    safe = { ...published, visitor: () => new ApiClient(`http://127.0.0.1:${port}`) };
  });
  afterAll(() => safe.stop());

  test("every response requires https for two years, subdomains included", async () => {
    for (const path of ["/", "/admin", "/api/v1/prints/shopslocation", "/api/v1/nothing", "/healthz"]) {
      const { headers } = await safe.visitor().get(path);
      expect(headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    }
  });

  test("the session cookie is bound to the host, HttpOnly and SameSite", async () => {
    const { visitor, student } = await signedInStudent(safe);
    const { headers } = await visitor.post("/api/v1/users/login", student);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-session=[\w-]{40,}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  test("every cookie has the host prefix and is Secure, HttpOnly and SameSite=Lax", async () => {
    const visitor = safe.visitor();
    const { student } = await signedInStudent(safe);
    const [shopId] = await shopIds(safe);
    await removeHours(safe, shopId);
    const clerk = await signedInCounter(safe, [shopId]);
    const admin = await signedInAdmin(safe);
    const answers = [
      await register(visitor, newStudent()),
      await safe.visitor().post("/api/v1/users/login", student),
      await safe.visitor().post("/api/v1/users/login", admin.person),
      await visitor.mutate("visits.open", { shopId, code: await codeAt(clerk.visitor, shopId) }),
      await visitor.mutate("accounts.logout"),
    ];
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie());
    expect(new Set(cookies.map((cookie) => cookie.split("=")[0]))).toEqual(
      new Set(["signup", "session", "device", "pending-login", "visit"].map((name) => `__Host-${name}`)),
    );
    for (const cookie of cookies)
      expect(cookie).toMatch(/^__Host-[\w-]+=[\w.-]*; Path=\/;.* HttpOnly; Secure; SameSite=Lax$/);
  });

  test.each([
    "http://print.example",
    "https://print.example:8443",
    "https://shop.print.example",
    "https://print.example.evil.example",
    "https://evilprint.example",
  ])("a page of an origin that only resembles the store's cannot change anything: %s", async (Origin) => {
    const { visitor } = await signedInStudent(safe);
    for (const path of ["/api/v1/users/logout", "/api/trpc/accounts.logout"]) {
      expect((await visitor.post(path, {}, { Origin, "Sec-Fetch-Site": "same-site" })).status).toBe(403);
      expect((await visitor.post(path, {}, { "Sec-Fetch-Site": "same-site" })).status).toBe(403);
    }
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(200);
    const own = await visitor.post("/api/v1/users/logout", {}, { Origin: "https://print.example" });
    expect(own.status).toBe(200);
  });

  test("a page of the address at which the store listens cannot change anything, only one of its public name", async () => {
    const { visitor } = await signedInStudent(safe);
    const { status } = await visitor.post("/api/v1/users/logout", {}, { Origin: visitor.baseUrl });
    expect(status).toBe(403);
  });

  test("the OpenAPI document names the session's cookie", async () => {
    const { components } = (await safe.visitor().get("/api/v1/openapi.json")).body;
    expect(components.securitySchemes.session).toMatchObject({ in: "cookie", name: "__Host-session" });
  });

  test("a session cookie without the host prefix is ignored", async () => {
    const { visitor } = await signedInStudent(safe);
    const Cookie = visitor.cookieHeader.replace("__Host-session", "session");
    const answer = await safe.visitor().send("GET", "/api/v1/users/getuser", undefined, { Cookie });
    expect(answer.status).toBe(401);
  });
});

test("over http no browser is told to use https", async () => {
  const { headers } = await store.visitor().get("/healthz");
  expect(headers.get("strict-transport-security")).toBeNull();
});

test("responses do not name the server software, and failures no internal detail", async () => {
  const { visitor } = await signedInStudent(store);
  const answers = [
    await visitor.get("/healthz"),
    await visitor.post("/api/v1/users/login", newStudent()),
    await visitor.mutate("accounts.rename", { fullName: 5 }),
    await visitor.upload(new Uint8Array(plainPdf(1)).slice(0, 40)),
  ];
  for (const { headers, body } of answers) {
    expect(headers.get("server")).toBeNull();
    expect(headers.get("x-powered-by")).toBeNull();
    expect(JSON.stringify(body)).not.toMatch(/\bat .*\.(ts|js):|node_modules|SQLITE|select /);
  }
});
