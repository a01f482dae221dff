import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { AppError } from "#server/errors.ts";
import { createShopCache } from "#server/shops/shop-cache.ts";
import { type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { together } from "../factories/together.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { openStorefront } from "../setup/storefront.ts";
import { tempStore } from "../setup/test-store.ts";

// Pages for guests are rendered once and cached, those of students for each. These tests need no browser.

const storefront = openStorefront();

const get = (path: string, headers: Record<string, string> = {}) =>
  storefront.store.visitor().send("GET", path, undefined, headers);

const policyOf = ({ headers }: ApiAnswer) => headers.get("content-security-policy") ?? "";

describe.each(["/", "/shops", "/login"])("%s for guests", (path) => {
  beforeEach(() => get(path));

  test("is the same page under the same policy each time, compressed or not", async () => {
    const answers = [await get(path), await get(path, { "Accept-Encoding": "identity" }), await get(path)];
    expect(answers.map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null, "gzip"]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(new Set(answers.map(policyOf)).size).toBe(1);
  });

  test("is complete for each of many simultaneous requests", async () => {
    const { body } = await get(path);
    for (const wave of [30, 60]) {
      const answers = await together(wave, () => get(path));
      expect(new Set(answers.map((answer) => answer.body))).toEqual(new Set([body]));
    }
  });

  test("is answered with 304 if unchanged, without a policy that would replace the cached one", async () => {
    const { headers } = await get(path);
    const again = await get(path, { "If-None-Match": headers.get("etag") ?? "" });
    expect([again.status, again.body, again.headers.get("content-security-policy")]).toEqual([304, "", null]);
  });

  test("differs from the page of a logged-in user", async () => {
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

describe("a logged-in user's page", () => {
  let order: PlacedOrder;
  beforeAll(async () => {
    order = await placeOrder(storefront.store, "red-soil-prints");
    const address = { country: "India, Jalandhar", roadNo: "G.T. Road 12", flatno: "210", fullname: "Asha" };
    expectDone(await order.visitor.mutate("addresses.add", { address }));
  });

  test("is stored by no browser, so that Back cannot show it to the next person", async () => {
    const paths = ["/", "/printnow?id=red-soil-prints", "/printorder", "/orders", `/orders/${order.id}`];
    for (const path of [...paths, "/profile", "/settings"]) {
      const { headers, body } = await order.visitor.get(path);
      expect(body).toContain(order.student.email);
      expect([headers.get("cache-control"), headers.get("etag")]).toEqual(["private, no-store", null]);
    }
  });

  test.each<[string, (order: PlacedOrder) => [path: string, ...texts: string[]]]>([
    [
      "the shop and its options",
      () => [
        "/printnow?id=red-soil-prints",
        "Red Soil Prints, ",
        "Choose PDF files",
        "Black &amp; White · ₹",
      ],
    ],
    ["the orders", ({ number }) => ["/orders", number, "The shop has your order"]],
    ["the order", ({ id, number }) => [`/orders/${id}`, `Order ${number}`, "Red Soil Prints", "₹19.00"]],
    [
      "name, number and addresses",
      ({ student }) => ["/profile", student.fullName, student.phone, "Asha, 210"],
    ],
    ["mails and devices", () => ["/settings", "My order is delivered", "This device"]],
  ])("shows %s before any script runs", async (_data, page) => {
    const [path, ...texts] = page(order);
    const { body } = await order.visitor.get(path);
    const shown = /<main\b.*?<\/main>/s.exec(body.replaceAll("<!-- -->", ""))?.[0];
    for (const text of texts) expect(shown).toContain(text);
  });
});

test.each([
  ["/", 137],
  ["/shops", 145],
  ["/printnow?id=red-soil-prints", 172],
  ["/orders", 137],
  ["/orders/ID", 148],
  ["/login", 182],
])("%s loads at most %i kB of scripts, as slow 3G carries 50 kB a second", async (path, kilobytes) => {
  const { visitor, student } = await signedInStudent(storefront.store);
  const { id } = await placeAnother(visitor, student, "red-soil-prints");
  const reader = path === "/login" ? storefront.store.visitor() : visitor;
  const { body } = await reader.get(path.replace("ID", id));
  const paths = [...body.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, href = ""]) => href);
  const scripts = await Promise.all(
    paths.map(async (script) => {
      const answer = await visitor.fetch(script, { headers: { "Accept-Encoding": "br" } });
      await answer.arrayBuffer();
      return Number(answer.headers.get("content-length"));
    }),
  );
  const bytes = scripts.reduce((sum, one) => sum + one, 0);
  expect(bytes).toBeGreaterThan(100_000);
  expect(bytes).toBeLessThanOrEqual(kilobytes * 1000);
});

test("a cached page has the headers of a rendered one, except for the request id", async () => {
  const [rendered, cached] = [await get("/support"), await get("/support")];
  const lasting = ({ headers }: ApiAnswer) => {
    const { date: _when, "x-request-id": _id, ...others } = Object.fromEntries(headers);
    return others;
  };
  expect(lasting(cached)).toEqual(lasting(rendered));
  expect(cached.headers.get("x-request-id")).not.toBe(rendered.headers.get("x-request-id"));
  expect(cached.body).toBe(rendered.body);
});

test("a page has a new nonce for its style tags after a shop has changed", async () => {
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const [shopId] = await shopIds(storefront.store);
  const before = policyOf(await get("/about-us"));
  expect(policyOf(await get("/about-us"))).toBe(before);
  for (const hidden of [true, false])
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden }));
  expect(policyOf(await get("/about-us"))).not.toBe(before);
});

test("a shop disappears from the next page when it is hidden, and returns when it is shown", async () => {
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const [shopId] = await shopIds(storefront.store);
  await get("/shops");
  expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: true }));
  const { body } = await get("/shops");
  expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: false }));
  expect(body).not.toContain(shopId);
  expect((await get("/shops")).body).toContain(shopId);
});

test("a shop that is hidden while a page is rendered is not on the next one", async () => {
  const { deps } = storefront.store;
  const [shopId = ""] = await shopIds(storefront.store);
  const { visitor: admin } = await signedInAdmin(storefront.store);
  const setHidden = async (hidden: boolean) =>
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden }));
  for (const hidden of [true, false]) await setHidden(hidden);
  const { find: read } = createShopCache(deps);
  vi.spyOn(deps.shopCache, "find").mockImplementationOnce(async (wanted) => {
    const shops = await read(wanted);
    await setHidden(true);
    return shops;
  });
  const pages = [await get("/shops"), await get("/shops")];
  await setHidden(false);
  expect(pages.map(({ body }) => body.includes(shopId))).toEqual([true, false]);
});

test("a search is a page of its own, and no page that could not be made is kept for the next guest", async () => {
  const { deps } = storefront.store;
  const [shopId = ""] = await shopIds(storefront.store);
  const { visitor: admin } = await signedInAdmin(storefront.store);
  for (const hidden of [true, false])
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden }));
  vi.spyOn(deps.shopCache, "find").mockRejectedValueOnce(new AppError("UNAVAILABLE", "Please try again"));
  expect((await get("/shops")).status).toBe(503);
  expect((await get("/shops")).status).toBe(200);
  expect((await get("/shops?q=nowhere+at+all")).body).toContain("No shop matches");
});

test("a browser keeps a script for a year, and for an hour what has no version in its name", async () => {
  const script = /<link rel="modulepreload" href="([^"]+)"/.exec((await get("/")).body)?.[1] ?? "";
  const kept = async (path: string) => (await get(path)).headers.get("cache-control");
  expect(await kept(script)).toBe("public, max-age=31536000, immutable");
  for (const path of ["/offline.html", "/favicon.svg"])
    expect(await kept(path), path).toBe("public, max-age=3600");
});

test("the service worker is asked for at every visit, may only reach the store, and removes itself if it is switched off", async () => {
  const { headers, body } = await get("/sw.js");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; connect-src 'self'");
  expect(body).toContain("/offline.html");
  expect((await get("/sw.js", { "If-None-Match": headers.get("etag") ?? "" })).status).toBe(304);
  const without = await tempStore({ SERVICE_WORKER: "false", SEED_DEMO: "false" });
  expect((await without.visitor().get("/sw.js")).body).toContain("registration.unregister()");
});

test("a page names its viewer to the service worker, and a page for guests names nobody", async () => {
  const { visitor } = await signedInStudent(storefront.store);
  const { _id } = (await visitor.get("/api/v1/users/getuser")).body.data;
  const viewers = await Promise.all(
    ["/", "/profile"].map(async (path) => (await visitor.get(path)).headers.get("page-viewer")),
  );
  expect(viewers).toEqual([_id, _id]);
  expect((await get("/")).headers.get("page-viewer")).toBeNull();
});
