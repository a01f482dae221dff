import { expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

const ask = (path: string, headers: Record<string, string> = {}) =>
  storefront.store.visitor().fetch(path, { headers });

test("every path below /admin serves the console's page, with a fresh nonce in its policy", async () => {
  const answers = await Promise.all(["/admin", "/admin/", "/admin/people?shop=x"].map((path) => ask(path)));
  const nonces = new Set<string>();
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const html = await answer.text();
    const nonce = /'nonce-([\w-]+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "";
    expect(nonce).not.toBe("");
    expect(html).toContain(`nonce="${nonce}"`);
    expect(html).not.toContain("__CSP_NONCE__");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(answers.length);
});

test("an unchanged page is answered with 304", async () => {
  const tag = (await ask("/admin")).headers.get("etag") ?? "";
  expect((await ask("/admin", { "If-None-Match": tag })).status).toBe(304);
});

test("build files are compressed and cached for ever", async () => {
  const html = await (await ask("/admin")).text();
  const script = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
  const answer = await ask(script, { "Accept-Encoding": "br" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("content-encoding")).toBe("br");
});

test.each(["/admin", ""])("a missing file of %s/assets is answered with an uncached 404", async (path) => {
  const answer = await ask(`${path}/assets/gone-123.js`);
  expect(answer.status).toBe(404);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test.each(["..%2f..%2f..%2fpackage.json", "..%2findex.html", "%00"])(
  "only files of the build are served: %s",
  async (path) => {
    expect((await ask(`/admin/assets/${path}`)).status).toBe(404);
  },
);

test("search engines are asked not to index the console", async () => {
  expect(await (await ask("/robots.txt")).text()).toContain("Disallow: /admin");
  expect(await (await ask("/admin")).text()).toContain('<meta name="robots" content="noindex"');
});
