import { beforeAll, expect, test } from "vitest";
import type { Db } from "#db/database.ts";
import { findOrderListings, type OrderFilter } from "#server/orders/board/board.queries.ts";
import { searchTerms } from "#server/orders/board/search-words.ts";
import { fillStore } from "../load/fill.ts";
import { testStore } from "../setup/test-store.ts";

/** More students have the most frequent name than one search reads; few have the rarest. */
const PLAN = {
  shops: 4,
  students: 3000,
  orders: 4000,
  days: 30,
  until: new Date("2026-10-15T10:30:00Z"),
  seed: 5,
};
const LIMIT = 30;

const store = testStore({ SEED_DEMO: "false" });
let db: Db;
let all: Awaited<ReturnType<typeof readOrders>>;
beforeAll(async () => {
  db = store.deps.db;
  await fillStore(db, PLAN);
  all = await readOrders();
});

function readOrders() {
  return db
    .selectFrom("orders")
    .select(["id", "number", "shop_id", "state", "created_at as createdAt", "search_text"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

const EVERYWHERE: Omit<OrderFilter, "terms"> = { shops: "all", state: "all" };

test.each([
  "priya",
  "quadri",
  "quad",
  "priya quadri",
  "priya kumar",
  "quadri k",
  "p",
  "z",
  "zebra",
  "priya zebra",
])("a search for %j finds the same as a full scan, page by page, on either path", async (typed) => {
  const terms = searchTerms(typed);
  const [{ shop_id: shopId }] = all as [(typeof all)[number]];
  const filters = [
    EVERYWHERE,
    { ...EVERYWHERE, state: "cancelled" },
    { shops: [shopId], state: "open" },
  ] as const;
  for (const filter of filters)
    for (const newestFirst of [true, false]) {
      const expected = all
        .filter(({ search_text }) => terms.every((term) => search_text.includes(` ${term}`)))
        .filter((order) => filter.shops === "all" || order.shop_id === shopId)
        .filter(
          ({ state }) => filter.state === "all" || (filter.state === "cancelled") === (state === "cancelled"),
        )
        .filter(({ state }) => filter.state !== "open" || state !== "delivered");
      const ordered = newestFirst ? expected.toReversed() : expected;
      const first = await findOrderListings(db, { ...filter, terms }, { newestFirst, limit: LIMIT });
      expect(first.map(({ id }) => id)).toEqual(ordered.slice(0, LIMIT).map(({ id }) => id));
      const after = first.at(-1);
      const second = await findOrderListings(db, { ...filter, terms }, { newestFirst, limit: LIMIT, after });
      if (after)
        expect(second.map(({ id }) => id)).toEqual(ordered.slice(LIMIT, 2 * LIMIT).map(({ id }) => id));
    }
});

test("order numbers are found by the start of either half, alone or with a name of their student", async () => {
  const order = all.find(({ search_text }) => search_text.includes(" priya")) as (typeof all)[number];
  const [left = "", right = ""] = order.number.toLowerCase().split("-");
  for (const typed of [
    order.number,
    left,
    right,
    right.slice(0, 3),
    `priya ${left}`,
    `${right} pri`,
    `${left} ${right}`,
    `quadri ${left}`,
  ]) {
    const terms = searchTerms(typed);
    const found = await findOrderListings(db, { ...EVERYWHERE, terms }, { newestFirst: true, limit: LIMIT });
    const isOthers = typed.startsWith("quadri");
    expect([typed, found.some(({ id }) => id === order.id)]).toEqual([typed, !isOthers]);
  }
});
