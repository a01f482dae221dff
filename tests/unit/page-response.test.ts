import { createHash } from "node:crypto";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { drawNonce, PageResponse } from "#server/pages/page-response.ts";

const nonce = "Tk9OQ0U-bWFyay1ub25jZQ";

interface Ask {
  html?: string;
  status?: number;
  location?: string;
  isPersonal?: boolean;
  by?: string;
  headers?: Record<string, string>;
}

/** The answer with a page that was rendered with this nonce. */
async function answer({
  html = "",
  status = 200,
  location,
  isPersonal = false,
  by = nonce,
  headers = {},
}: Ask) {
  const page = new PageResponse({ status, location: location ?? null, html }, { nonce: by });
  const app = new Hono().get("/", (c) => page.send(c, isPersonal === undefined ? {} : { isPersonal }));
  return app.request("/", { headers });
}

async function policyOf(html: string): Promise<string> {
  return (await answer({ html })).headers.get("content-security-policy") ?? "";
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

test("the content security policy allows the inline scripts that carry the nonce, and no injected one", async () => {
  const policy = await policyOf(`
    <script nonce="${nonce}">ours("₹")</script><script>injected()</script>
    <script nonce="guess">guessed()</script>
    <script type="module" src="/assets/a.js" nonce="${nonce}"></script>`);
  expect(policy).toContain(`script-src 'self' ${hashOf('ours("₹")')} 'wasm-unsafe-eval';`);
});

test("the policy allows only the store itself as a source, and only style tags with the nonce", async () => {
  expect((await policyOf("<p>Hello</p>")).split("; ")).toEqual([
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]);
});

const rendered = (by: string, loadedAt: string, text = "Hello") =>
  `<p>${text}</p><style nonce="${by}"></style><script nonce="${by}">{u:${loadedAt}}</script>`;
const PAGE = { html: rendered(nonce, "1790000000000") };
const etagOf = async (ask: Ask) => (await answer(ask)).headers.get("etag") ?? "";

test("a page of guests is kept by the browser and asked for again by its content", async () => {
  const first = await answer(PAGE);
  expect(Object.fromEntries(first.headers)).toMatchObject({
    "cache-control": "private, no-cache",
    vary: "Cookie, Accept-Encoding",
    "content-type": "text/html; charset=utf-8",
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
  });
  const etag = await etagOf(PAGE);
  expect(await etagOf({ html: rendered("another-nonce", "1790000000001"), by: "another-nonce" })).toBe(etag);
  expect(await etagOf({ html: rendered(nonce, "1790000000000", "Good bye") })).not.toBe(etag);

  const headers = { "If-None-Match": `"other", ${etag}` };
  const again = await answer({ ...PAGE, headers });
  expect([again.status, await again.text(), again.headers.get("content-security-policy")]).toEqual([
    304,
    "",
    null,
  ]);
  expect((await answer({ ...PAGE, headers: { "If-None-Match": 'W/"other"' } })).status).toBe(200);
  expect((await answer({ ...PAGE, status: 404, headers })).status).toBe(404);
});

test("each rendering has a nonce of its own, of 128 bits", () => {
  expect(drawNonce()).toMatch(/^[\w-]{22}$/);
  expect(drawNonce()).not.toBe(drawNonce());
});

test("a page of somebody is kept by no browser", async () => {
  const headers = { "If-None-Match": await etagOf(PAGE) };
  const page = await answer({ ...PAGE, isPersonal: true, headers });
  expect([page.status, await page.text()]).toEqual([200, PAGE.html]);
  expect(page.headers.get("cache-control")).toBe("private, no-store");
  expect([page.headers.get("etag"), page.headers.get("vary")]).toEqual([null, null]);
});

test.each([false, true])("a redirect is followed by whoever is logged in or not (%s)", async (isPersonal) => {
  const page = await answer({ location: "/login?to=%2Fprofile", isPersonal });
  expect([page.status, page.headers.get("location")]).toEqual([307, "/login?to=%2Fprofile"]);
  expect(page.headers.get("cache-control")).toBe("private, no-cache");
});

test.each([
  ["gzip, deflate, br, zstd", "br", brotliDecompressSync],
  ["gzip, deflate", "gzip", gunzipSync],
  ["identity", null, (bytes: Buffer) => bytes],
  ["", null, (bytes: Buffer) => bytes],
] as const)("a browser that accepts %j gets %s", async (accepted, encoding, unpack) => {
  const page = await answer({ ...PAGE, headers: { "Accept-Encoding": accepted } });
  expect(page.headers.get("content-encoding")).toBe(encoding);
  expect(unpack(Buffer.from(await page.arrayBuffer())).toString()).toBe(PAGE.html);
});
