import { expect, test } from "vitest";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

const ask = (path: string, headers: Record<string, string> = {}) =>
  storefront.store.visitor().fetch(path, { headers });

test("every address below /admin is the console's page, under a policy with a nonce of its own", async () => {
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

test("a page that the browser has already is not sent again", async () => {
  const tag = (await ask("/admin")).headers.get("etag") ?? "";
  expect((await ask("/admin", { "If-None-Match": tag })).status).toBe(304);
});

test("files of the build are kept for ever, and come compressed", async () => {
  const html = await (await ask("/admin")).text();
  const script = /src="(\/admin\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
  const answer = await ask(script, { "Accept-Encoding": "br" });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(answer.headers.get("content-encoding")).toBe("br");
});

test("a file that is not there is not found, and nobody keeps that", async () => {
  const answer = await ask("/admin/assets/gone-123.js");
  expect(answer.status).toBe(404);
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

test.each(["..%2f..%2f..%2fpackage.json", "..%2findex.html", "%00"])(
  "nothing outside the files of the build is served: %s",
  async (path) => {
    expect((await ask(`/admin/assets/${path}`)).status).toBe(404);
  },
);

test("search engines are told to stay away", async () => {
  expect(await (await ask("/robots.txt")).text()).toContain("Disallow: /admin");
  expect(await (await ask("/admin")).text()).toContain('<meta name="robots" content="noindex"');
});
