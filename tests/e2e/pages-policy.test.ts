import { expect, test } from "vitest";
import { signedInStudent } from "../factories/students.ts";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();

/** What a page's policy says of one kind of thing. */
function sources(policy: string, directive: string): string {
  return policy.split("; ").find((part) => part.startsWith(`${directive} `)) ?? "";
}

test.each(["/", "/login", "/admin", "/nowhere"])(
  "%s runs only scripts, and takes only style tags, that bear a nonce drawn for it alone",
  async (path) => {
    const nonces: string[] = [];
    for (let time = 0; time < 2; time++) {
      const answer = await storefront.store.visitor().get(path);
      const policy = answer.headers.get("content-security-policy") ?? "";
      const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? "";
      nonces.push(nonce);
      expect(sources(policy, "script-src")).toBe(`script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`);
      expect(sources(policy, "style-src")).toContain(`'nonce-${nonce}'`);
      expect(sources(policy, "style-src")).not.toContain("unsafe");
      for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(directive);
      const inline = [...answer.body.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag);
      expect(inline.filter((tag) => !tag.includes(`nonce="${nonce}"`) && !tag.includes("src="))).toEqual([]);
    }
    expect(nonces[0]).not.toBe(nonces[1]);
  },
);

test.each(["/", "/login", "/shops", "/admin", "/api/v1/docs"])(
  "%s lets a browser ask no other host for anything",
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

test("the page of the API's documentation works under a policy without exceptions", async () => {
  const page = await storefront.visit("/api/v1/docs");
  await page.getByText("/prints/shopslocation").first().waitFor();
  const policy = (await storefront.store.visitor().get("/api/v1/docs")).headers.get(
    "content-security-policy",
  );
  expect(policy).not.toContain("unsafe");
});

test("what people have written is text in a page and in the data that it carries, and never a tag", async () => {
  const { visitor } = await signedInStudent(storefront.store);
  const fullName = `</script><img src=x onerror="alert(1)"><!--`;
  expect((await visitor.mutate("accounts.rename", { fullName })).status).toBe(200);
  for (const path of ["/", "/profile"]) {
    const { body } = await visitor.get(path);
    expect([path, body.includes("onerror")]).toEqual([path, true]);
    expect(body).not.toMatch(/<\/script><img|<img src=x|<!--"/);
  }
});

test("whatever is served says what it is, and text in which charset", async () => {
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
