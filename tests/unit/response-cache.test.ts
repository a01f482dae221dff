import { gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { beforeEach, describe, expect, test } from "vitest";
import type { Env } from "#server/http/request-context.ts";
import { cacheResponses } from "#server/http/response-cache.ts";

/** How often the handler has answered. */
let made: number;
/** The catalogue's; null while the database does not answer. */
let version: number | null;
let body: string;
let status: 200 | 404 | 201;
let headers: Record<string, string>;
let app: Hono<Env>;
let requests: number;
let routes: (string | undefined)[];
/** What happens while the handler answers. */
let meanwhile: () => void;
beforeEach(() => {
  [made, version, body, status, headers] = [0, 1, "shops", 200, {}];
  [requests, routes, meanwhile] = [0, [], () => {}];
  app = new Hono<Env>();
  const catalogue = {
    async version() {
      if (version === null) throw new Error("The database does not answer");
      return version;
    },
  };
  app.use(async (c, next) => {
    c.set("requestId", `r${++requests}`);
    await next();
    routes.push(c.get("route"));
  });
  app.use(cacheResponses({ catalogue } as unknown as Parameters<typeof cacheResponses>[0]));
  app.all("/shops", (c) => {
    made++;
    meanwhile();
    return c.body(body, status, { "content-length": String(body.length), "x-request-id": "r0", ...headers });
  });
});

const get = (query = "", init: RequestInit = {}) => app.request(`/shops${query}`, init);

/** How often the handler was asked when this request was sent twice. */
async function madeFor(query: string, init?: RequestInit): Promise<number> {
  made = 0;
  for (let times = 0; times < 2; times++) expect((await get(query, init)).status).toBe(status);
  return made;
}

describe("a response is made once and sent again", () => {
  test("with its headers, and the id of its own request", async () => {
    headers = { "content-type": "text/plain", vary: "Accept" };
    const [first, again] = [await get(), await get()];
    for (const response of [first, again]) {
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("text/plain");
      expect(response.headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect(response.headers.get("content-length")).toBeNull();
      expect(await response.text()).toBe("shops");
    }
    expect([first, again].map((response) => response.headers.get("x-request-id"))).toEqual(["r1", "r2"]);
    expect(routes).toEqual([undefined, "/shops"]);
    expect(made).toBe(1);
  });

  test("for each path and query, until the catalogue changes", async () => {
    expect((await get()).headers.get("vary")).toBe("Accept-Encoding");
    await get("?page=2");
    await get("?page=2");
    expect(made).toBe(2);
    [version, body] = [2, "shops of today"];
    expect(await (await get()).text()).toBe("shops of today");
    expect(await (await get()).text()).toBe("shops of today");
    expect(made).toBe(3);
  });

  test("if its address has at most 300 letters", async () => {
    const address = (length: number) => `?${"x".repeat(length - "/shops?".length)}`;
    expect([await madeFor(address(300)), await madeFor(address(301))]).toEqual([1, 2]);
  });
});

describe("a response is made anew each time", () => {
  test.each<[string, RequestInit]>([
    ["to anything but GET", { method: "POST" }],
    ["for a body", { headers: { "content-length": "2" } }],
    ["for a body of unknown length", { headers: { "transfer-encoding": "chunked" } }],
    ["as a stream", { headers: { "trpc-accept": "application/jsonl" } }],
  ])("%s", async (_what, init) => {
    await get();
    expect(await madeFor("", init)).toBe(2);
  });

  test("if the catalogue changed while it was made", async () => {
    meanwhile = () => {
      version = 2;
    };
    for (let times = 0; times < 3; times++) await get();
    expect(made).toBe(2);
  });

  test("if it failed, sets a cookie, or the database does not answer", async () => {
    status = 404;
    expect(await madeFor("")).toBe(2);
    status = 201;
    expect(await madeFor("")).toBe(2);
    [status, headers] = [200, { "set-cookie": "session=of-asha" }];
    expect(await madeFor("")).toBe(2);
    [headers, version] = [{}, null];
    expect(await madeFor("")).toBe(2);
    version = 1;
    expect(await madeFor("")).toBe(1);
    expect((await get()).headers.get("set-cookie")).toBeNull();
  });

  test.each([
    ["?search=red", 2],
    ["?search=+", 1],
    ["?search=", 1],
    [`?input=${encodeURIComponent('{"search":"red","sort":"listed"}')}`, 2],
    [`?input=${encodeURIComponent('{ "search": " red" }')}`, 2],
    [`?input=${encodeURIComponent('{"search":"","sort":"listed"}')}`, 1],
    [`?input=${encodeURIComponent('{ "search": " " }')}`, 1],
    ["?input=1&research=red", 1],
  ])("if somebody typed a search: %s", async (query, times) => {
    expect(await madeFor(query)).toBe(times);
  });
});

test("a response of a kilobyte is sent compressed to whom takes that, and a shorter one is not", async () => {
  const gzip = { headers: { "accept-encoding": "br, gzip;q=0.5" } };
  for (const length of [1024, 1023]) {
    const query = `?length=${length}`;
    [body, headers] = ["x".repeat(length), { "content-type": "text/plain" }];
    for (const init of [gzip, gzip, {}, { headers: { "accept-encoding": "br" } }]) {
      const response = await get(query, init);
      const bytes = Buffer.from(await response.arrayBuffer());
      const isCompressed = init === gzip && length === 1024;
      expect(response.headers.get("content-encoding")).toBe(isCompressed ? "gzip" : null);
      expect(response.headers.get("content-type")).toBe("text/plain");
      expect((isCompressed ? gunzipSync(bytes) : bytes).toString()).toBe(body);
      expect(bytes.length < 100).toBe(isCompressed);
    }
  }
});

test("the cache holds 16 MB at most, and forgets what was not asked for longest", async () => {
  // Each takes 1 MB, once as it is and once compressed.
  body = "x".repeat(512 * 1024 - 2000);
  for (let page = 0; page < 17; page++) await get(`?page=${page}`);
  made = 0;
  await get("?page=16");
  await get("?page=1");
  expect(made).toBe(0);
  await get("?page=0");
  expect(made).toBe(1);
});
