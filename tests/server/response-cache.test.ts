import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { readDemoShops, seedShops } from "#db/seed/seed.ts";
import { createCatalogue, createShopCache, type ShopCache } from "#server/shops/shop-cache.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { ShopCard } from "#shared/schemas/shops.ts";
import { editedPrices, expectDone, priceEntry, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { openTempDatabase, tempDatabaseUrl } from "../setup/temporary.ts";
import { testStore } from "../setup/test-store.ts";

const LIST = "/api/v1/prints/shopslocation";

const store = testStore({ SEED_DEMO: "false" });
let admin: ApiClient;
beforeAll(async () => {
  ({ visitor: admin } = await signedInAdmin(store));
});

let shopId: string;
beforeEach(async () => {
  shopId = (await shownShop(admin)).id;
});

/** What a guest sees of the shop, in each of four ways. */
async function reads() {
  const guest = store.visitor();
  const find = (shops: ShopCard[]) => shops.find(({ _id }) => _id === shopId);
  const one = await guest.get(`/api/v1/prints/shopdata?id=${shopId}`);
  return {
    listed: find((await guest.get(LIST)).body.data),
    one: one.body.data,
    called: find(expectDone(await guest.query("shops.list"))),
    calledOne: (await guest.query("shops.byId", { id: shopId })).body.result?.data,
  };
}

function lastingHeaders({ headers }: ApiAnswer): Record<string, string> {
  const { date: _when, "content-length": _bytes, ...lasting } = Object.fromEntries(headers);
  return lasting;
}

describe("the response cache", () => {
  test("repeats body and headers, except for the request id", async () => {
    for (const path of [LIST, `/api/v1/prints/shopdata?id=${shopId}`, "/api/trpc/shops.list"]) {
      const [first, again] = [await store.visitor().get(path), await store.visitor().get(path)];
      const { "x-request-id": id, ...headers } = lastingHeaders(first);
      const { "x-request-id": otherId, ...others } = lastingHeaders(again);
      expect(again.body).toEqual(first.body);
      expect(others).toEqual(headers);
      expect(otherId).not.toBe(id);
    }
  });

  test.each([
    ["/api/v1/prints/shopslocation", {}],
    ["/api/v1/prints/shopdata", { id: "ID" }],
    ["/api/trpc/shops.list", {}],
    ["/api/trpc/shops.page", { input: '{"sort":"listed"}' }],
    ["/api/trpc/shops.byId", { input: '{"id":"ID"}' }],
  ])("answers %s", async (path, query) => {
    const search = new URLSearchParams(query as Record<string, string>).toString().replace("ID", shopId);
    const { status, headers } = await store.visitor().get(`${path}?${search}`);
    expect([status, headers.get("vary")]).toEqual([200, expect.stringContaining("Accept-Encoding")]);
  });

  test("returns compressed responses, the first time and later", async () => {
    for (let shop = 0; shop < 5; shop++) await shownShop(admin);
    const plain = await store.visitor().fetch(LIST, { headers: { "Accept-Encoding": "identity" } });
    const unpacked = await plain.json();
    expect(plain.headers.get("content-encoding")).toBeNull();
    for (const path of [LIST, `${LIST}?limit=60`]) {
      const answers = [await store.visitor().get(path), await store.visitor().get(path)];
      for (const { body, headers } of answers) {
        expect(headers.get("content-encoding")).toBe("gzip");
        expect(headers.get("vary")).toMatch(/\bAccept-Encoding\b/);
        expect(Number(headers.get("content-length"))).toBeLessThan(JSON.stringify(body).length / 2);
        expect(body).toEqual(unpacked);
      }
    }
  });

  test("does not compress a short response", async () => {
    const path = `${LIST}?search=${encodeURIComponent("no shop has this name")}`;
    const answers = [await store.visitor().get(path), await store.visitor().get(path)];
    for (const { status, headers } of answers) {
      expect([status, headers.get("content-encoding")]).toEqual([200, null]);
    }
  });

  test("counts requests under their own route in the metrics", async () => {
    const path = `/api/v1/prints/shopdata?id=${shopId}`;
    for (let time = 0; time < 3; time++) await store.visitor().get(path);
    const { body } = await store.visitor().get("/metrics");
    expect(body).toMatch(/_count\{method="GET",route="\/api\/v1\/prints\/shopdata",status="200"\} [3-9]/);
  });

  test("never repeats a cookie set for one visitor", async () => {
    const { visitor } = await signedInStudent(store);
    const soon = new Date(Date.now() + 10 * DAY_MS).toISOString();
    await store.deps.db.updateTable("sessions").set({ expires_at: soon }).execute();
    expectDone(await admin.mutate("shops.admin.setOpen", { shopId, isOpen: false, closedNote: "" }));

    const renewed = await visitor.get(LIST);
    const guests = await store.visitor().get(LIST);

    expect(renewed.headers.getSetCookie()).toHaveLength(1);
    expect(guests.headers.getSetCookie()).toEqual([]);
  });

  test("does not cache failures, so that a new shop is found", async () => {
    const path = "/api/v1/prints/shopdata?id=late-shop";
    expect((await store.visitor().get(path)).status).toBe(404);
    await shownShop(admin, undefined, { id: "late-shop" });
    expect((await store.visitor().get(path)).status).toBe(200);
  });
});

describe("the next read shows", () => {
  test("a price that staff have just saved", async () => {
    await reads();
    const bindingOptions = [priceEntry("Spiral", 4242, { basis: "copy" })];
    expectDone(
      await admin.mutate("prices.save", await editedPrices(admin, shopId, () => ({ bindingOptions }))),
    );

    const { one, calledOne } = await reads();

    expect(one.bindingOptions[0].price).toBe(42.42);
    expect(calledOne.bindingOptions[0].price).toBe(42.42);
  });

  test("that a shop has closed, and opened again", async () => {
    for (const isOpen of [false, true]) {
      await reads();
      expectDone(await admin.mutate("shops.admin.setOpen", { shopId, isOpen, closedNote: "" }));
      expect(Object.values(await reads()).map((shop) => shop.isOpen)).toEqual([
        isOpen,
        isOpen,
        isOpen,
        isOpen,
      ]);
    }
  });

  test("nothing of a shop that was hidden", async () => {
    await reads();
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: true }));
    expect(Object.values(await reads()).map((shop) => shop ?? null)).toEqual([null, null, null, null]);
  });
});

test("a change by another process is visible soon", async () => {
  await reads();
  const other = await openDatabase(store.deps.config.databaseUrl);
  await other.db.updateTable("shops").set({ name: "Renamed Elsewhere" }).where("id", "=", shopId).execute();
  await other.close();

  await expect.poll(async () => (await reads()).listed?.shopName).toBe("Renamed Elsewhere");
});

test("what changes while shops and prices are read is read the next time, whichever query it comes after", async () => {
  const { db, readDb, commitMark } = await openTempDatabase();
  const [model] = readDemoShops().shops;
  if (!model) throw new Error("There are no demo shops");
  let price = 0;
  const change = () => {
    const paperTypes = model.paperTypes.map((option) => ({ ...option, price: ++price }));
    return seedShops(db, { shops: [{ ...model, perPageCost: price, paperTypes }] }, new Date());
  };
  const setPaperOut = (out_since: string | null) =>
    db.updateTable("shop_options").set({ out_since }).where("kind", "=", "paperTypes").execute();
  let queries = 0;
  /** What is changed after a query, by its number. */
  let changes: Record<number, () => Promise<unknown>> = {};
  const changing = readDb.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await changes[++queries]?.();
      return result;
    },
  });
  const cacheOf = (of: Db) => {
    const catalogue = createCatalogue({ readDb: of, commitMark });
    return createShopCache({ readDb: of, catalogue, now: store.clock.now });
  };
  const find = (cache: ShopCache) => cache.find({ search: "", sort: "listed" });
  const cache = cacheOf(changing);
  const expectChanges = async (wanted: typeof changes) => {
    [queries, changes] = [0, wanted];
    await find(cache);
    const numbers = Object.keys(wanted);
    expect(queries).toBeGreaterThanOrEqual(Math.max(...numbers.map(Number)));
    expect([numbers, await find(cache)]).toEqual([numbers, await find(cacheOf(readDb))]);
  };
  for (const after of [1, 2, 3, 4, 5, 6]) {
    await change();
    await expectChanges({ [after]: change });
  }
  for (const after of [3, 4]) {
    await change();
    await expectChanges({
      [after]: () => setPaperOut(new Date().toISOString()),
      [after + 1]: () => setPaperOut(null),
    });
  }
  // After a commit of something else the version is asked for again, and is the one that is known.
  await db.insertInto("store_facts").values({ name: "another", value: "commit" }).execute();
  await expectChanges({ 1: change });
});

test("shops that could not be read once are read again", async () => {
  const { db, readDb, close } = await openDatabase(await tempDatabaseUrl());
  onTestFinished(close);
  const cache = createShopCache({ readDb, catalogue: { version: () => 1 }, now: () => new Date() });
  const find = () => cache.find({ search: "", sort: "listed" });
  await expect(find()).rejects.toThrow("no such table");
  await migrate(db);
  expect(await find()).toEqual([]);
});
