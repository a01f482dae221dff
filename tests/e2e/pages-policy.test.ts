import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { signedInStudent } from "../factories/students.ts";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

/** The value of one directive of a page's policy. */
function sources(policy: string, directive: string): string {
  return policy.split("; ").find((part) => part.startsWith(`${directive} `)) ?? "";
}

const INLINE_SCRIPT = /<script\b(?![^>]*\bsrc=)[^>]*>(.*?)<\/script>/gs;

test.each(["/", "/login", "/admin", "/nowhere"])(
  "%s only runs scripts whose hashes are in its policy, and only accepts style tags with its nonce",
  async (path) => {
    const answer = await storefront.store.visitor().get(path);
    const policy = answer.headers.get("content-security-policy") ?? "";
    const hashes = [...answer.body.matchAll(INLINE_SCRIPT)].map(
      ([, text = ""]) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
    );
    expect(hashes).not.toEqual([]);
    expect(sources(policy, "script-src")).toBe(`script-src 'self' ${hashes.join(" ")} 'wasm-unsafe-eval'`);
    const nonce = /'nonce-([\w-]{22})'/.exec(sources(policy, "style-src"))?.[1];
    expect(sources(policy, "style-src")).not.toContain("unsafe");
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(directive);
    const styles = [...answer.body.matchAll(/<style\b[^>]*>/g)].map(([tag]) => tag);
    expect(styles.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
  },
);

test.each(["/admin", "/nowhere", "/?from=mail"])("%s has a nonce of its own", async (path) => {
  const policies = await Promise.all([1, 2].map(() => storefront.store.visitor().get(path)));
  const nonces = policies.map(({ headers }) =>
    /'nonce-([\w-]{22})'/.exec(headers.get("content-security-policy") ?? ""),
  );
  expect(nonces[0]?.[1]).not.toBe(nonces[1]?.[1]);
});

test.each(["/", "/login", "/shops", "/admin", "/api/v1/docs"])(
  "%s cannot load anything from other hosts",
  async (path) => {
    const answer = await storefront.store.visitor().get(path);
    const policy = answer.headers.get("content-security-policy") ?? "";
    const rules = policy.split("; ").map((rule) => rule.split(" "));
    expect(rules.map(([directive]) => directive)).toContain("default-src");
    const OWN = /^('(self|none|nonce-[\w-]+|sha256-[\w+/=]+|unsafe-inline|wasm-unsafe-eval)'|data:|blob:)$/;
    expect(rules.flatMap(([, ...allowed]) => allowed).filter((source) => !OWN.test(source))).toEqual([]);
    expect(answer.body).not.toMatch(/<link[^>]+rel="(?:preconnect|dns-prefetch)"/);
  },
);

test("the API documentation works under a policy without exceptions", async () => {
  const page = await storefront.visit("/api/v1/docs");
  await page.getByText("/prints/shopslocation").first().waitFor();
  const policy = (await storefront.store.visitor().get("/api/v1/docs")).headers.get(
    "content-security-policy",
  );
  expect(policy).not.toContain("unsafe");
});

test("user input appears as text in the page and its data, never as a tag", async () => {
  const { visitor } = await signedInStudent(storefront.store);
  const fullName = `</script><img src=x onerror="alert(1)"><!--`;
  expect((await visitor.mutate("accounts.rename", { fullName })).status).toBe(200);
  for (const path of ["/", "/profile"]) {
    const { body } = await visitor.get(path);
    expect([path, body.includes("onerror")]).toEqual([path, true]);
    expect(body).not.toMatch(/<\/script><img|<img src=x|<!--"/);
  }
});

test("every response has a content type, and text a charset", async () => {
  const { store } = storefront;
  const page = await store.visitor().get("/");
  const script = /"(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? "";
  for (const [path, type] of [
    ["/", "text/html; charset=utf-8"],
    ["/nowhere", "text/html; charset=utf-8"],
    ["/admin", "text/html; charset=utf-8"],
    ["/api/v1/docs", "text/html; charset=utf-8"],
    ["/robots.txt", "text/plain; charset=utf-8"],
    ["/sitemap.xml", "application/xml; charset=utf-8"],
    [script, "text/javascript; charset=utf-8"],
    ["/api/v1/prints/shopslocation", "application/json"],
    ["/api/v1/nothing", "application/json"],
    ["/api/trpc/shops.list", "application/json"],
  ] as const) {
    const { headers } = await store.visitor().get(path);
    expect([path, headers.get("content-type")?.toLowerCase()]).toEqual([path, type]);
  }
});
