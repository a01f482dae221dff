import { createHash } from "node:crypto";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { PageResponse } from "#server/pages/page-response.ts";

const nonce = "Tk9OQ0U-bWFyay1ub25jZQ";

async function policyOf(html: string): Promise<string> {
  const page = new PageResponse({ status: 200, location: null, html }, { nonce });
  const app = new Hono().get("/", (c) => page.send(c));
  return (await app.request("/")).headers.get("content-security-policy") ?? "";
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
