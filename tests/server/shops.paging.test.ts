import { beforeAll, describe, expect, test } from "vitest";
import { readDemoShops, seedShops } from "#db/seed/seed.ts";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { SHOPS_PER_PAGE, type ShopCard } from "#shared/schemas/shops.ts";
import { editedPrices, expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const LIST = "/api/v1/prints/shopslocation";
const COUNT = SHOPS_PER_PAGE + 5;

const store = testStore({ SEED_DEMO: "false" });
let guest: ApiClient;
beforeAll(async () => {
  const [model] = readDemoShops().shops;
  if (!model) throw new Error("There are no demo shops");
  const shops = Array.from({ length: COUNT }, (_, index) => ({
    ...model,
    id: `shop-${index}`,
    // Two of each name, at different places, and some with accents.
    shopName: `Prints ${Math.floor(index / 2)}`,
    shopLocation: index % 10 === 0 ? "Nāndyāl" : `Kharagpur ${index % 2 === 0 ? "East" : "West"}`,
    perPageCost: 1 + (index % 7),
  }));
  await seedShops(store.deps.db, { shops }, new Date());
  guest = store.visitor();
});

async function list(query: Record<string, string | number> = {}): Promise<ShopCard[]> {
  const params = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await guest.get(`${LIST}?${params}`);
  expect(status).toBe(200);
  return body.data;
}

const ids = (shops: ShopCard[]) => shops.map(({ _id }) => _id);

describe("the paged shop list", () => {
  test.each(["listed", "price", "sample", "rating"])(
    "contains each shop once, sorted by %s",
    async (sort) => {
      const whole = ids(await list({ sort }));
      const parts: string[] = [];
      for (let after: string | undefined; ; ) {
        const part: string[] = ids(await list({ sort, limit: 9, ...(after && { after }) }));
        parts.push(...part);
        after = part.at(-1);
        if (part.length < 9) break;
      }
      expect(whole).toHaveLength(COUNT);
      expect(parts).toEqual(whole);
    },
  );

  test("without parameters contains all shops by name", async () => {
    const { body } = await guest.get(LIST);
    expect(body.data).toEqual(await list());
    const names = body.data.map(({ shopName }: ShopCard) => shopName);
    expect(names).toEqual(names.toSorted());
    expect(expectDone(await guest.query("shops.list"))).toEqual(body.data);
  });

  test("finds a shop anywhere by all words, ignoring accents", async () => {
    const expected = ids((await list()).filter(({ shopLocation }) => shopLocation === "Nāndyāl"));
    expect(ids(await list({ search: "PRINTS nandyal" }))).toEqual(expected);
    expect(await list({ search: "prints nowhere" })).toEqual([]);
  });

  test("refuses invalid parameters and cursors", async () => {
    for (const [query, status] of Object.entries({
      "limit=0": 422,
      "limit=many": 422,
      "limit=501": 422,
      "sort=newest": 422,
      "after=nobody": 404,
    }))
      expect([query, (await guest.get(`${LIST}?${query}`)).status]).toEqual([query, status]);
  });
});

describe("the pages of the shop grid", () => {
  test("show the number of shops and lead to the next page", async () => {
    const first = expectDone(await guest.query("shops.page", {}));
    const second = expectDone(await guest.query("shops.page", { cursor: first.next }));
    expect([first.total, first.shops.length, second.next]).toEqual([COUNT, 60, null]);
    expect(ids([...first.shops, ...second.shops])).toEqual(ids(await list()));
  });

  test("show changes of shops, prices and visibility at once", async () => {
    const { visitor: admin } = await signedInAdmin(store);
    const shopId = "shop-3";
    const find = async () =>
      expectDone(await guest.query("shops.page", { search: "prints 1" })).shops.find(
        ({ _id }: ShopCard) => _id === shopId,
      );
    const before = await find();

    const dearer = await editedPrices(admin, shopId, ({ printedColours }) => ({
      printedColours: printedColours.map((option) => ({ ...option, pricePaise: option.pricePaise + 100 })),
    }));
    expectDone(await admin.mutate("prices.save", dearer));
    expect((await find()).samplePaise).toBeGreaterThan(before.samplePaise);

    expectDone(await admin.mutate("shops.admin.setOpen", { shopId, isOpen: false, closedNote: "Holiday" }));
    expect(await find()).toMatchObject({ isOpen: false, closedNote: "Holiday" });

    const [yesterday, tomorrow, later] = [-1, 1, 30].map((days) => addDays(indianDay(new Date()), days));
    const holidays = [yesterday, tomorrow, later];
    const speed = { shopId, pagesPerMinute: 20, handlingMinutes: 5 };
    expectDone(await admin.mutate("schedule.save", { ...speed, holidays }));
    expect((await find()).closedOn.filter((day: string) => /\d/.test(day))).toEqual([tomorrow, later]);
    expectDone(await admin.mutate("schedule.save", { ...speed, holidays: [] }));
    expect((await find()).closedOn).not.toContain(tomorrow);

    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: true }));
    expect(await find()).toBeUndefined();
  });

  test("show the prices of a shop that is made anew where another one was removed", async () => {
    const { visitor: admin } = await signedInAdmin(store);
    const sampleAfter = async (colourPaise: number) => {
      const lists = { ...smallPriceList(), printedColours: [priceEntry("Black & White", colourPaise)] };
      await shownShop(admin, lists, { id: "shop-again" });
      return (await list()).find(({ _id }) => _id === "shop-again")?.samplePaise;
    };
    const before = await sampleAfter(100);
    expectDone(await admin.mutate("shops.admin.remove", { shopId: "shop-again" }));
    store.clock.advance({ minutes: 1 });
    expect(await sampleAfter(200)).toBeGreaterThan(before ?? Number.NaN);
  });
});
