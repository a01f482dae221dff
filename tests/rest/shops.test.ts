import { describe, expect, test } from "vitest";
import { readDemoShops } from "#db/seed/seed.ts";
import { transact } from "#db/transaction.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();

async function shops() {
  return (await store.visitor().get("/api/v1/prints/shopslocation")).body.data;
}

describe("GET /prints/shopslocation", () => {
  test("lists every shop with the fields of the specification", async () => {
    const list = await shops();
    const demo = readDemoShops().shops;
    expect(list).toHaveLength(demo.length);
    for (const { id, shopName, shopLocation, shopImage, email, contactNumber, ...numbers } of demo) {
      const shop = list.find((listed: { _id: string }) => listed._id === id);
      expect(shop).toMatchObject({ shopName, shopLocation, shopImage, email, contactNumber });
      // The demo is parsed: tenths of a star, and paise.
      expect([shop.ratings, shop.perPageCost]).toEqual([numbers.ratings / 10, numbers.perPageCost / 100]);
      expect(shop.samplePaise).toBeGreaterThan(0);
      expect(shop.samplePaise % 100).toBe(0);
    }
  });

  test("refers only to images served by the store", async () => {
    for (const shop of await shops()) {
      const image = await store.visitor().fetch(shop.shopImage);
      expect([image.status, image.headers.get("content-type")?.split(";")[0]]).toEqual([
        200,
        "image/svg+xml",
      ]);
    }
  });
});

describe("GET /prints/shopdata", () => {
  test("returns a shop with all six option lists, each option with _id, name and price in rupees", async () => {
    const ids = new Set<string>();
    const demo = readDemoShops().shops;
    for (const shop of demo) {
      const answer = await store.visitor().get(`/api/v1/prints/shopdata?id=${shop.id}`);
      expect([answer.status, answer.body.data._id]).toEqual([200, shop.id]);
      for (const kind of OPTION_KINDS) {
        // The demo is parsed: prices in paise.
        const offered = shop[kind].map(({ name, price }) => ({ name, price: price / 100 }));
        expect(answer.body.data[kind]).toMatchObject(offered);
        for (const option of answer.body.data[kind]) ids.add(option._id);
      }
    }
    const options = demo.flatMap((shop) => OPTION_KINDS.flatMap((kind) => shop[kind]));
    expect(ids.size).toBe(options.length);
  });

  test("leaves out options that are switched off", async () => {
    const [shop] = await shops();
    const before = (await store.visitor().get(`/api/v1/prints/shopdata?id=${shop._id}`)).body.data
      .bindingOptions;
    await transact(store.deps.db, (trx) =>
      trx.updateTable("shop_options").set({ active: 0 }).where("id", "=", before[0]._id).execute(),
    );
    const after = (await store.visitor().get(`/api/v1/prints/shopdata?id=${shop._id}`)).body.data
      .bindingOptions;
    expect(after).toEqual(before.slice(1));
  });

  test("answers 404 for an unknown shop and 422 for a missing or malicious id", async () => {
    const statusOf = async (query: string) =>
      (await store.visitor().get(`/api/v1/prints/shopdata${query}`)).status;
    expect(await statusOf("?id=unknown")).toBe(404);
    for (const query of ["", "?id=", "?id=%00", "?id='%20or%201=1", `?id=${"x".repeat(5000)}`]) {
      expect(await statusOf(query)).toBe(422);
    }
  });
});
