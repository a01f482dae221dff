import { beforeEach, describe, expect, test } from "vitest";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { together } from "../factories/together.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { openStorefront } from "../setup/storefront.ts";

// What guests are shown is rendered once and kept. These walks need no browser.

const storefront = openStorefront();

const get = (path: string, headers: Record<string, string> = {}) =>
  storefront.store.visitor().send("GET", path, undefined, headers);

/** The page without what is drawn for it alone, and that. */
function apart({ headers, body }: ApiAnswer): { page: string; nonce: string } {
  const nonce = /'nonce-([\w-]{22})'/.exec(headers.get("content-security-policy") ?? "")?.[1] ?? "none";
  return { page: body.replaceAll(nonce, "").replaceAll(/\bu:\d{13}\b/g, ""), nonce };
}

describe.each(["/", "/shops", "/login"])("%s, asked for by guests", (path) => {
  beforeEach(() => get(path));

  test("is the same page each time under a nonce of its own, packed or not", async () => {
    const answers = [await get(path), await get(path, { "Accept-Encoding": "identity" }), await get(path)];
    const pages = answers.map(apart);
    expect(answers.map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null, "gzip"]);
    expect(new Set(pages.map(({ page }) => page)).size).toBe(1);
    expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(3);
    expect(answers[0]?.body).toContain(`nonce="${pages[0]?.nonce}"`);
  });

  test("is whole under a nonce of its own for each of many who ask at the same moment", async () => {
    for (const wave of [30, 60]) {
      const pages = (await together(wave, () => get(path))).map(apart);
      expect(new Set(pages.map(({ page }) => page)).size).toBe(1);
      expect(new Set(pages.map(({ nonce }) => nonce)).size).toBe(wave);
    }
  });

  test("is not sent again to who has it, without a policy that would replace the copy's", async () => {
    const { headers } = await get(path);
    const again = await get(path, { "If-None-Match": headers.get("etag") ?? "" });
    expect([again.status, again.body, again.headers.get("content-security-policy")]).toEqual([304, "", null]);
  });

  test("is one page, and another to who is logged in", async () => {
    const { visitor, student } = await signedInStudent(storefront.store);
    const own = await visitor.get(path);
    const guests = await get(path);
    expect(guests.status).toBe(200);
    expect(guests.body).not.toContain(student.email);
    expect(guests.headers.getSetCookie()).toEqual([]);
    if (path === "/login") expect(own.headers.get("location")).toBe("/");
    else expect(own.body).toContain(student.email);
  });
});

test("a page of who is logged in is stored by no browser, for the next at a shared computer to go back to", async () => {
  const { visitor, student } = await signedInStudent(storefront.store);
  for (const path of ["/", "/profile"]) {
    const { headers, body } = await visitor.get(path);
    expect(body).toContain(student.email);
    expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["private, no-store", null]);
  }
});

test("a kept page has the headers of the rendered one, but for its nonce and the request's id", async () => {
  const [rendered, kept] = [await get("/support"), await get("/support")];
  const lasting = (answer: ApiAnswer) => {
    const {
      date,
      "x-request-id": id,
      "content-length": bytes,
      ...others
    } = Object.fromEntries(answer.headers);
    const policy = others["content-security-policy"]?.replaceAll(apart(answer).nonce, "nonce");
    return { ...others, "content-security-policy": policy };
  };
  expect(lasting(kept)).toEqual(lasting(rendered));
  expect(kept.headers.get("x-request-id")).not.toBe(rendered.headers.get("x-request-id"));
  expect(apart(kept).page).toBe(apart(rendered).page);
});

test("a shop that staff have just hidden is not on the next page, and is there again once it is shown", async () => {
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const [shopId] = await shopIds(storefront.store);
  await get("/shops");
  expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: true }));
  const { body } = await get("/shops");
  expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: false }));
  expect(body).not.toContain(shopId);
  expect((await get("/shops")).body).toContain(shopId);
});
