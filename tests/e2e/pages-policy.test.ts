import { expect, test } from "vitest";
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

test("the page of the API's documentation works under a policy without exceptions", async () => {
  const page = await storefront.visit("/api/v1/docs");
  await page.getByText("/prints/shopslocation").first().waitFor();
  const policy = (await storefront.store.visitor().get("/api/v1/docs")).headers.get(
    "content-security-policy",
  );
  expect(policy).not.toContain("unsafe");
});
