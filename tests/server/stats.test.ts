import { beforeAll, describe, expect, test } from "vitest";
import type { ShopStats } from "#server/stats/stats.queries.ts";
import type { ShopStatsPage, Stats } from "#server/stats/stats.service.ts";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { seenByStaff } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { refusalsOf } from "../factories/together.ts";
import { storedAndComputedStats } from "../setup/computed-stats.ts";
import { testStore } from "../setup/test-store.ts";
import { placeFiles } from "./packs.fixtures.ts";

const store = testStore();
let ids: string[];
let admin: StaffPerson;
beforeAll(async () => {
  ids = await shopIds(store);
  admin = await signedInAdmin(store);
});

interface Asked {
  from: string;
  until: string;
  shopId?: string;
}

async function figuresOf({ visitor }: StaffPerson, asked: Asked): Promise<Stats> {
  return expectDone(await visitor.query("stats.read", asked));
}

/** The days around the store's clock, on which the factories place orders. */
function lately(): Asked {
  const today = indianDay(store.deps.now());
  return { from: addDays(today, -1), until: addDays(today, 1) };
}

async function cancel(orderId: string, from: string): Promise<void> {
  expectDone(await admin.visitor.mutate("board.cancel", { orderId, from, reason: "Out of paper" }));
}

/** The price of an order by the factory. */
async function amountOf({ id }: PlacedOrder): Promise<number> {
  const { quote } = await seenByStaff(admin.visitor, id);
  return quote.totalPaise;
}

describe("the stats of a period", () => {
  const period = { from: "2023-03-01", until: "2023-03-03" };
  let first: PlacedOrder;
  let owner: StaffPerson;
  beforeAll(async () => {
    const [shopId = "", other = ""] = ids;
    first = await placeOrder(store, shopId);
    owner = await signedInOwner(store, [shopId]);
    await copyOrder(store, first, [
      { placedAt: "2023-02-28T18:29:59.999Z" },
      { placedAt: "2023-02-28T18:30:00.000Z" },
      { placedAt: "2023-03-01T18:29:59.999Z", state: "delivered" },
      { placedAt: "2023-03-01T18:30:00.000Z" },
      { placedAt: "2023-03-03T18:29:59.999Z" },
      { placedAt: "2023-03-03T18:30:00.000Z" },
    ]);
    const elsewhere = await placeOrder(store, other);
    await copyOrder(store, elsewhere, [{ placedAt: "2023-03-02T06:00:00.000Z" }]);
  });

  test("use Indian days, and have a row for a day without orders", async () => {
    const { days } = await figuresOf(owner, { from: "2023-02-28", until: "2023-03-04" });

    expect(days.map(({ day, orders }) => [day, orders])).toEqual([
      ["2023-02-28", 1],
      ["2023-03-01", 2],
      ["2023-03-02", 1],
      ["2023-03-03", 1],
      ["2023-03-04", 1],
    ]);
    expect((await figuresOf(owner, { from: "2023-01-01", until: "2023-01-02" })).days).toEqual(
      ["2023-01-01", "2023-01-02"].map((day) => ({
        day,
        orders: 0,
        pages: 0,
        sheets: 0,
        revenuePaise: 0,
        cancelled: 0,
      })),
    );
  });

  test("count printed pages, sheets and what students pay", async () => {
    const { total } = await figuresOf(owner, period);

    // Three pages, two copies, printed on one side.
    const revenuePaise = 4 * (await amountOf(first));
    expect(total).toEqual({ orders: 4, pages: 24, sheets: 24, revenuePaise, cancelled: 0 });
  });

  test("cover all shops for an admin, their own for an owner, or a selected one", async () => {
    const [shopId = "", other = ""] = ids;
    const byShop = async (staff: StaffPerson, chosen?: string) => {
      const asked = { ...period, shopId: chosen };
      const { total } = await figuresOf(staff, asked);
      const { shops }: { shops: ShopStats[] } = expectDone(await staff.visitor.query("stats.export", asked));
      expect(shops.reduce((sum, { orders }) => sum + orders, 0)).toBe(total.orders);
      expect(expectDone(await staff.visitor.query("stats.shops", asked))).toEqual({
        rows: shops,
        next: null,
      });
      return Object.fromEntries(shops.map(({ id, orders }) => [id, orders]));
    };

    expect(await byShop(admin)).toEqual({ [shopId]: 4, [other]: 1 });
    expect(await byShop(admin, other)).toEqual({ [other]: 1 });
    expect(await byShop(owner)).toEqual({ [shopId]: 4 });
    expect(await byShop(owner, shopId)).toEqual({ [shopId]: 4 });
    expect(await byShop(await signedInOwner(store, []))).toEqual({});
    for (const procedure of ["stats.read", "stats.shops", "stats.export"])
      expect(codeOf(await owner.visitor.query(procedure, { ...period, shopId: other }))).toBe("NOT_FOUND");
  });

  test.each([
    ["that ends before it begins", "2023-03-02", "2023-03-01", "The last day cannot be before the first"],
    ["of more than a year", "2022-03-01", "2023-03-02", "This is longer than a year"],
    ["with a day that there is not", "2023-02-30", "2023-03-01", "must be a day such as"],
  ])("are refused for a period %s", async (_name, from, until, message) => {
    const { status, body } = await admin.visitor.query("stats.read", { from, until });
    expect([status, body.error.data.appCode]).toEqual([422, "INVALID_INPUT"]);
    expect(body.error.message).toContain(message);
  });

  test("are available for a whole leap year", async () => {
    expect((await figuresOf(admin, { from: "2028-01-01", until: "2028-12-31" })).days).toHaveLength(366);
  });
});

describe("the stats of options", () => {
  test("show for each how often it was ordered and its revenue, across shops", async () => {
    const [shopId = ""] = ids;
    const owner = await signedInOwner(store, [shopId]);
    const order = await placeOrder(store, shopId);
    const { quote } = await seenByStaff(admin.visitor, order.id);

    const { options } = await figuresOf(owner, lately());
    expect(new Set(options.map(({ kind }) => kind))).toEqual(new Set(OPTION_KINDS));
    const colour = options.find(({ kind }) => kind === "printedColours");
    const line = quote.jobs[0].lines.find(({ kind }: { kind: string }) => kind === "printedColours");
    expect(colour).toEqual({
      kind: "printedColours",
      name: line.name,
      orders: 2,
      pages: 12,
      sheets: 12,
      amountPaise: 2 * line.amountPaise,
    });

    const amounts = options.map(({ amountPaise }) => amountPaise);
    expect(amounts).toEqual(amounts.toSorted((one, other) => other - one));

    const everywhere = (await figuresOf(admin, lately())).options.find(
      ({ kind, name }) => kind === "printedColours" && name === line.name,
    );
    expect(everywhere?.orders).toBeGreaterThan(2);
  });

  test("count an order in parts once, with the pages and the money of the parts that have the option", async () => {
    const { id: shopId } = await shownShop(admin.visitor, {
      ...smallPriceList(),
      printedColours: [priceEntry("Colour", 400), priceEntry("Black & White", 100)],
      // Named as one of another list.
      paperTypes: [priceEntry("A4", 50)],
    });
    const thesis = { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 9) };
    const black = { pages: { 0: "1-2, 5-9" }, options: { printedColour: "Black & White" } };
    await placeFiles(store, shopId, [thesis], { copies: 2, parts: [black] });

    const { options } = await figuresOf(admin, { ...lately(), shopId });
    expect(
      options.map(({ name, orders, pages, sheets, amountPaise }) => [
        name,
        orders,
        pages,
        sheets,
        amountPaise,
      ]),
    ).toEqual([
      ["Spiral", 1, 18, 10, 2 * 3500],
      ["Colour", 1, 4, 2, 4 * 400],
      ["Black & White", 1, 14, 8, 14 * 100],
      ["A4", 1, 18, 10, 18 * 50],
      ["Both sides", 1, 18, 10, 18 * 20],
      ["A4", 1, 18, 10, 0],
      ["No Cover", 1, 18, 10, 0],
    ]);
  });
});

describe("a cancelled order", () => {
  test("is counted separately and without revenue, from any state", async () => {
    const shopId = ids[3] ?? "";
    const kept = await placeOrder(store, shopId);
    const cancelled = await placeAnother(kept.visitor, kept.student, shopId);
    const printed = await placeAnother(kept.visitor, kept.student, shopId);
    await moveTo(admin.visitor, printed.id, "printed");

    await cancel(cancelled.id, "placed");
    await cancel(printed.id, "printed");

    const { total, options } = await figuresOf(admin, { ...lately(), shopId });
    const revenuePaise = await amountOf(kept);
    expect(total).toEqual({ orders: 1, pages: 6, sheets: 6, revenuePaise, cancelled: 2 });
    expect(options.map(({ orders }) => orders)).toEqual(OPTION_KINDS.map(() => 1));
  });

  test("is counted once, however often it is tried", async () => {
    const shopId = ids[4] ?? "";
    const { id } = await placeOrder(store, shopId);
    const attempt = { orderId: id, from: "placed", reason: "Out of paper" };

    const answers = await Promise.all([1, 2, 3].map(() => admin.visitor.mutate("board.cancel", attempt)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(refusalsOf(answers)).toEqual([expect.stringContaining("has already marked order")]);
    const { total, options } = await figuresOf(admin, { ...lately(), shopId });
    expect(total).toEqual({ orders: 0, pages: 0, sheets: 0, revenuePaise: 0, cancelled: 1 });
    expect(options).toEqual([]);
  });
});

test("the shops of a period are paged and sorted by the selected figure", async () => {
  const { db } = store.deps;
  const day = "2020-05-05";
  const count = 5 * LIST_ROWS;
  const many = Array.from({ length: count }, (_, index) => ({
    id: `ranked-${index}`,
    orders: (index * 7) % count,
    pages: (index * 11) % count,
    sheets: (index * 13) % count,
    revenue_paise: 100 * ((index * 17) % count),
  }));
  const model = await db.selectFrom("shops").selectAll().limit(1).executeTakeFirstOrThrow();
  for (const { id, ...figures } of many) {
    await db
      .insertInto("shops")
      .values({ ...model, id, name: id })
      .execute();
    const row = { shop_id: id, day, ...figures, cancelled: 0 };
    await db.insertInto("daily_stats").values(row).execute();
  }
  for (const [by, column] of [
    ["orders", "orders"],
    ["pages", "pages"],
    ["sheets", "sheets"],
    ["revenue", "revenue_paise"],
  ] as const) {
    const seen: ShopStats[] = [];
    let pages = 0;
    for (let cursor: number | null = 0; cursor !== null; ) {
      const asked = { from: day, until: day, by, cursor };
      const page: ShopStatsPage = expectDone(await admin.visitor.query("stats.shops", asked));
      seen.push(...page.rows);
      pages++;
      cursor = page.next;
    }
    expect(pages).toBe(5);
    const best = many.toSorted((one, other) => other[column] - one[column]);
    expect(seen).toMatchObject(
      best.map(({ revenue_paise: revenuePaise, ...rest }) => ({ ...rest, revenuePaise, cancelled: 0 })),
    );
  }
  await db.deleteFrom("daily_stats").where("day", "=", day).execute();
});

test("a repeated ranking includes orders and cancellations made since", async () => {
  const day = "2022-07-01";
  const [firstShop = "", secondShop = "", thirdShop = ""] = ids;
  const ranking = async () => {
    const page: ShopStatsPage = expectDone(
      await admin.visitor.query("stats.shops", { from: day, until: day, by: "orders" }),
    );
    return page.rows.map(({ id, orders, cancelled }) => [id, orders, cancelled]);
  };
  const placedAt = `${day}T06:00:00.000Z`;
  const first = await placeOrder(store, firstShop);
  const second = await placeOrder(store, secondShop);
  const third = await placeOrder(store, thirdShop);
  expect(await ranking()).toEqual([]);

  await copyOrder(store, first, [{ placedAt }]);
  expect(await ranking()).toEqual([[firstShop, 1, 0]]);

  const [one = "", ...others] = await copyOrder(store, second, [{ placedAt }, { placedAt }, { placedAt }]);
  const led = [
    [secondShop, 3, 0],
    [firstShop, 1, 0],
  ];
  expect(await ranking()).toEqual(led);
  expect(await ranking()).toEqual(led);

  others.push(...(await copyOrder(store, second, [{ placedAt }])));
  await copyOrder(store, third, [{ placedAt }, { placedAt }]);
  expect(await ranking()).toEqual([
    [secondShop, 4, 0],
    [thirdShop, 2, 0],
    [firstShop, 1, 0],
  ]);

  await cancel(one, "placed");
  expect(await ranking()).toEqual([
    [secondShop, 3, 1],
    [thirdShop, 2, 0],
    [firstShop, 1, 0],
  ]);

  for (const id of others) await cancel(id, "placed");
  // Old log entries are deleted after a week.
  await store.deps.db.deleteFrom("live_events").execute();
  expect(await ranking()).toEqual([
    [thirdShop, 2, 0],
    [firstShop, 1, 0],
    [secondShop, 0, 4],
  ]);
});

test("the stored stats match what plain SQL finds in the orders", async () => {
  const { kept, plain } = await storedAndComputedStats(store.deps.readDb);

  expect(plain.days.length).toBeGreaterThan(5);
  expect(kept).toEqual(plain);
});
