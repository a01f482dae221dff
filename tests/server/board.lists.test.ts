import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { indianDay } from "#shared/indian-time.ts";
import { OPEN_STATES } from "#shared/order-states.ts";
import type { OrderPageRequest } from "#shared/schemas/board.ts";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { getShop, orderAt } from "../factories/orders.ts";
import { payInFull, refundCash } from "../factories/payments.ts";
import { copyOrder, moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { codeAt, placeAtCounter, removeHours, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

interface Row {
  id: string;
  createdAt: string;
}

const store = testStore();
let ids: string[];
let order: PlacedOrder;
let elsewhere: PlacedOrder;
let owner: StaffPerson;
let admin: StaffPerson;
beforeAll(async () => {
  ids = await shopIds(store);
  order = await placeOrder(store, ids[0] ?? "");
  elsewhere = await placeOrder(store, ids[1] ?? "");
  owner = await signedInOwner(store, [ids[0] ?? ""]);
  admin = await signedInAdmin(store);
});

const boardOf = async ({ visitor }: { visitor: ApiClient }, input = {}) =>
  (await visitor.query("board.read", input)).body.result.data;
const pageOf = async ({ visitor }: { visitor: ApiClient }, input: OrderPageRequest) =>
  (await visitor.query("board.page", input)).body.result.data;
const found = async (search: string, staff = owner) => {
  const { rows } = await pageOf(staff, { search, state: "all" });
  return rows.map(({ id }: Row) => id);
};

describe("the board", () => {
  test("has a column for each open state with its count, oldest order first", async () => {
    const shop = await signedInOwner(store, [ids[2] ?? ""]);
    const first = await placeOrder(store, ids[2] ?? "");
    const copies = await copyOrder(store, first, [
      { placedAt: daysAgo(1) },
      { placedAt: daysAgo(3) },
      { placedAt: daysAgo(2) },
      { placedAt: daysAgo(20), state: "delivered" },
    ]);
    await moveTo(shop.visitor, copies[2] ?? "", "printing");
    await moveTo(shop.visitor, copies[0] ?? "", "delivered");

    const { columns, delivered } = await boardOf(shop);

    expect(columns.map(({ state, count }: { state: string; count: number }) => [state, count])).toEqual([
      ["placed", 2],
      ["printing", 1],
      ["printed", 0],
      ["dispatched", 0],
    ]);
    expect(columns[0].cards.map(({ id }: Row) => id)).toEqual([copies[1], first.id]);
    expect(delivered.map(({ id }: Row) => id)).toEqual([copies[0]]);
  });

  test("shows delivered orders placed in the last 14 days, newest first", async () => {
    const shop = await signedInOwner(store, [ids[7] ?? ""]);
    const first = await placeOrder(store, ids[7] ?? "");
    const twoWeeksAgo = store.clock.now().getTime() - 14 * 24 * 60 * 60_000;
    const [oldest, newest] = await copyOrder(
      store,
      first,
      [0, 5, -1].map((ms) => ({ placedAt: new Date(twoWeeksAgo + ms).toISOString(), state: "delivered" })),
    );
    expect((await boardOf(shop)).delivered.map(({ id }: Row) => id)).toEqual([newest, oldest]);
    expect((await boardOf(shop, { fulfilment: "pickup" })).delivered).toEqual([]);
  });

  test("shows the twenty oldest orders of a column, and counts all", async () => {
    const shop = await signedInOwner(store, [ids[6] ?? ""]);
    const newest = await placeOrder(store, ids[6] ?? "");
    const ages = Array.from({ length: 22 }, (_, day) => ({ placedAt: daysAgo(22 - day) }));
    const copies = await copyOrder(store, newest, ages);

    const [placed] = (await boardOf(shop)).columns;

    expect(placed.count).toBe(23);
    expect(placed.cards.map(({ id }: Row) => id)).toEqual(copies.slice(0, 20));
  });

  test("shows what staff need to know about an order", async () => {
    const [{ cards }] = (await boardOf(owner)).columns;
    const shop = await getShop(store.visitor(), ids[0] ?? "");
    const request = orderAt(shop, { pages: 3, copies: 2, filesUrl: [] });
    expect(cards[0]).toMatchObject({
      id: order.id,
      number: order.number,
      studentName: order.student.fullName,
      state: "placed",
      pages: 3,
      copies: 2,
      message: "Please staple at the top left",
      shopName: shop.shopName,
      totalPaise: 100 * Number(request.orderValue.orderTotal),
      fulfilment: "delivery",
      paidPaise: 0,
      refundedPaise: 0,
      upiId: "",
      createdAt: store.deps.now().toISOString(),
      filesDeleteAt: null,
      report: null,
      isReprint: false,
      options: [
        request.orderData.printedColour,
        request.orderData.printingSide,
        request.orderData.paperType,
        request.orderData.paperSize,
        request.orderData.bindingOption,
      ],
    });
  });

  test("and the table are filtered by payment, way, paper and colour, in their counts too", async () => {
    const { rows } = expectDone(await owner.visitor.query("board.page", {}));
    expect(rows.map(({ id }: Row) => id)).toEqual([order.id]);
    const shop = ids[0] ?? "";
    const { printedColour, paperSize, paperType } = orderAt(await getShop(store.visitor(), shop), {
      pages: 3,
      copies: 2,
      filesUrl: [],
    }).orderData;
    const found = async (filter: object) => {
      const board = expectDone(await owner.visitor.query("board.read", filter));
      const page = expectDone(await owner.visitor.query("board.page", filter));
      const [placed] = board.columns;
      expect(page.rows.map(({ id }: Row) => id)).toEqual(placed.cards.map(({ id }: Row) => id));
      expect(placed.count).toBe(placed.cards.length);
      return placed.count;
    };
    for (const filter of [
      { unpaid: true },
      { fulfilment: "delivery" },
      { paper: paperSize },
      { paper: paperType },
      { colour: printedColour },
    ]) {
      expect(await found(filter), JSON.stringify(filter)).toBe(1);
    }
    for (const filter of [{ fulfilment: "pickup" }, { paper: "A0" }, { colour: paperSize }]) {
      expect(await found(filter), JSON.stringify(filter)).toBe(0);
    }
    const { totalPaise } = rows[0];
    const payment = { orderId: order.id, method: "cash", amountPaise: totalPaise, key: randomUUID() };
    expectDone(await owner.visitor.mutate("payments.take", payment));
    expect(await found({ unpaid: true }), "paid in full").toBe(0);
    expectDone(await refundCash(owner.visitor, order.id, 100));
    expect(await found({ unpaid: true }), "and partly refunded").toBe(0);

    await removeHours(store, shop);
    const visitor = await visitorAt(store, shop, await codeAt(owner.visitor, shop));
    const [due, paid] = [
      await placeAtCounter(visitor, { shopId: shop }),
      await placeAtCounter(visitor, { shopId: shop }),
    ];
    expectDone(await payInFull(owner.visitor, paid.id));
    const { counter, columns } = await boardOf(owner, { unpaid: true });
    expect([counter.count, counter.cards.map(({ id }: Row) => id)]).toEqual([1, [due.id]]);
    expect([columns[0].count, columns[0].cards]).toEqual([0, []]);
    expect((await owner.visitor.query("board.read", { fulfilment: "by pigeon" })).status).toBe(422);
  });

  test("and the table are filtered by hold and by promised time, in their counts too", async () => {
    const shop = await signedInOwner(store, [ids[9] ?? ""]);
    const inMinutes = (minutes: number) =>
      new Date(store.clock.now().getTime() + minutes * 60_000).toISOString();
    const first = await placeOrder(store, ids[9] ?? "");
    const [late, soon, nextDay, printed, waiting, unpromised] = await copyOrder(
      store,
      first,
      [1, 2, 3, 4, 5, 6].map((days) => ({ placedAt: daysAgo(days) })),
    );
    for (const [id, promised] of [
      [first.id, inMinutes(61)],
      [unpromised, null],
      [late, inMinutes(-1)],
      [soon, inMinutes(59)],
      [nextDay, inMinutes(24 * 60)],
      [printed, inMinutes(-1)],
      [waiting, inMinutes(-1)],
    ] as const)
      await store.deps.db
        .updateTable("orders")
        .set({ promised_at: promised })
        .where("id", "=", id ?? "")
        .execute();
    await moveTo(shop.visitor, printed ?? "", "printed");
    for (const orderId of [nextDay, waiting])
      expectDone(await shop.visitor.mutate("holds.hold", { orderId, reason: "No paper" }));

    for (const [filter, expected] of [
      [{ due: "late" }, [late]],
      [{ due: "hour" }, [soon, late]],
      [{ onHold: true }, [waiting, nextDay]],
      [{ onHold: true, due: "late" }, []],
    ] as const) {
      const { columns } = await boardOf(shop, filter);
      expect(columns[0].count, JSON.stringify(filter)).toBe(expected.length);
      expect(columns[2].count).toBe(0);
      expect(columns[0].cards.map(({ id }: Row) => id)).toEqual(expected);
      const { rows } = await pageOf(shop, filter);
      expect(rows.map(({ id }: Row) => id)).toEqual(expected);
    }
  });

  test("and the table show as due today what is promised for before midnight in India", async () => {
    const shop = await signedInOwner(store, [ids[8] ?? ""]);
    const late = await placeOrder(store, ids[8] ?? "");
    const [tomorrow = ""] = await copyOrder(store, late, [{ placedAt: daysAgo(0) }]);
    const midnight = Date.parse(`${indianDay(store.clock.now())}T18:30:00.000Z`);
    for (const [id, ms] of [
      [late.id, midnight - 1],
      [tomorrow, midnight],
    ] as const)
      await store.deps.db
        .updateTable("orders")
        .set({ promised_at: new Date(ms).toISOString() })
        .where("id", "=", id)
        .execute();
    const [placed] = (await boardOf(shop, { due: "today" })).columns;
    expect([placed.count, placed.cards.map(({ id }: Row) => id)]).toEqual([1, [late.id]]);
    expect((await pageOf(shop, { due: "today" })).rows.map(({ id }: Row) => id)).toEqual([late.id]);
  });

  test("shows an owner only their own shops, or one of them", async () => {
    const [{ cards }] = (await boardOf(owner)).columns;
    expect(cards.map(({ id }: Row) => id)).toEqual([order.id]);
    const [toAdmin] = (await boardOf(admin, { shopId: ids[1] })).columns;
    expect(toAdmin.cards.map(({ id }: Row) => id)).toEqual([elsewhere.id]);
    const refused = await owner.visitor.query("board.read", { shopId: ids[1] });
    expect(refused.body.error.data.appCode).toBe("NOT_FOUND");
  });

  test("is empty for an owner without a shop", async () => {
    const nobody = await signedInOwner(store, []);
    const { columns, delivered } = await boardOf(nobody);
    expect(columns.map(({ count }: { count: number }) => count)).toEqual(OPEN_STATES.map(() => 0));
    expect(delivered).toEqual([]);
    expect((await pageOf(nobody, { state: "all" })).rows).toEqual([]);
  });
});

describe("the order table", () => {
  test("pages through all orders once, while new ones arrive", async () => {
    const shop = await signedInOwner(store, [ids[3] ?? ""]);
    const first = await placeOrder(store, ids[3] ?? "");
    // Several have the same time, so that a page ends between equals.
    const moments = Array.from({ length: 119 }, (_, index) => ({
      placedAt: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 30))).toISOString(),
    }));
    const copies = await copyOrder(store, first, moments);

    for (const sort of ["oldest", "newest"] as const) {
      const seen: Row[] = [];
      let cursor: OrderPageRequest["cursor"];
      do {
        const { rows, next } = await pageOf(shop, { sort, cursor });
        seen.push(...rows);
        cursor = next;
        await copyOrder(store, first, [{ placedAt: sort === "oldest" ? "2025-01-01T00:00:00.000Z" : NEVER }]);
      } while (cursor);
      const own = seen.filter(({ id }) => copies.includes(id) || id === first.id);
      expect(own).toHaveLength(120);
      expect(new Set(own.map(({ id }) => id)).size).toBe(120);
      const times = own.map(({ createdAt }) => createdAt);
      expect(times).toEqual(sort === "oldest" ? times.toSorted() : times.toSorted().reverse());
    }
  });

  test("shows no cancelled order among those with money owed", async () => {
    const shop = await signedInOwner(store, [ids[8] ?? ""]);
    const first = await placeOrder(store, ids[8] ?? "");
    const [cancelled, delivered] = await copyOrder(store, first, [
      { placedAt: daysAgo(2), state: "cancelled" },
      { placedAt: daysAgo(1), state: "delivered" },
    ]);
    const { rows } = await pageOf(shop, { state: "done", unpaid: true });
    expect(rows.map(({ id }: Row) => id)).toEqual([delivered]);
    expect((await pageOf(shop, { state: "cancelled" })).rows.map(({ id }: Row) => id)).toEqual([cancelled]);
  });

  test("filters by state and date", async () => {
    const shop = await signedInOwner(store, [ids[4] ?? ""]);
    const first = await placeOrder(store, ids[4] ?? "");
    const [january, march, done] = await copyOrder(store, first, [
      { placedAt: "2026-01-10T10:00:00.000Z" },
      { placedAt: "2026-03-10T10:00:00.000Z", state: "printing" },
      { placedAt: "2026-03-11T10:00:00.000Z", state: "delivered" },
    ]);
    const listed = async (input: OrderPageRequest) =>
      (await pageOf(shop, input)).rows.map(({ id }: Row) => id);

    expect(await listed({})).toEqual([january, march, first.id]);
    expect(await listed({ state: "printing" })).toEqual([march]);
    expect(await listed({ state: "delivered" })).toEqual([done]);
    expect(
      await listed({ state: "all", from: "2026-02-01T00:00:00.000Z", until: "2026-03-11T00:00:00.000Z" }),
    ).toEqual([march]);
    expect(await listed({ state: "all", until: "2026-03-10T10:00:00.000Z" })).toEqual([january]);
    const between = { from: "2026-01-10T10:00:00.000Z", until: "2026-03-10T10:00:00.001Z" };
    expect(await listed({ state: "all", ...between })).toEqual([january, march]);
    expect(await listed({ sort: "newest" })).toEqual([first.id, march, january]);
  });

  test("refuses invalid dates and states", async () => {
    for (const input of [{ from: "yesterday" }, { state: "lost" }, { cursor: { createdAt: "x", id: "y" } }]) {
      const { body } = await admin.visitor.query("board.page", input);
      expect(body.error.data.appCode).toBe("INVALID_INPUT");
    }
  });
});

describe("the order search", () => {
  test("finds an order by its number in any spelling, or by the half people read aloud", async () => {
    const [left, right] = order.number.split("-");
    for (const typed of [
      order.number,
      order.number.toLowerCase(),
      `${left}${right}`,
      `${left} ${right}`,
      right,
    ]) {
      expect([typed, await found(typed ?? "")]).toEqual([typed, [order.id]]);
    }
  });

  test("finds it by the full phone number in any format, or by its last four digits", async () => {
    const { phone } = order.student;
    const grouped = `${phone.slice(0, 5)} ${phone.slice(5)}`;
    for (const typed of [phone, grouped, `+91 ${grouped}`, `0${phone}`, phone.slice(-4)]) {
      expect([typed, await found(typed)]).toEqual([typed, [order.id]]);
    }
  });

  test("finds it by the start of names or e-mail, in any case, all words together", async () => {
    const { email } = order.student;
    const mailbox = email.split("@")[0] ?? "";
    const [firstName = "", lastName = ""] = order.student.fullName.split(" ");
    const byName = [
      `${firstName.toLowerCase()} ${mailbox}`,
      `${lastName.toUpperCase().slice(0, 3)} ${order.number}`,
    ];
    for (const typed of [email, email.toUpperCase(), mailbox, ...byName]) {
      expect([typed, await found(typed)]).toEqual([typed, [order.id]]);
    }
    expect(await found("student", admin)).toHaveLength(LIST_ROWS);
    expect(await found(`${firstName} ${order.student.phone} nobody`)).toEqual([]);
  });

  test("finds the same orders in the same order for a very common word", async () => {
    const shop = await signedInOwner(store, [ids[5] ?? ""]);
    const first = await placeOrder(store, ids[5] ?? "");
    const moments = Array.from({ length: 1200 }, (_, minute) => ({
      placedAt: new Date(Date.UTC(2026, 1, 1, 0, minute)).toISOString(),
    }));
    const copies = await copyOrder(store, first, moments);

    const name = first.student.fullName;
    expect(await found(name, shop)).toEqual(copies.slice(0, LIST_ROWS));
    expect(await found(`${name} ${first.number}`, shop)).toEqual([first.id]);
    expect(await found(`${name} nobody`, shop)).toEqual([]);
  });

  test("treats wildcards literally", async () => {
    for (const typed of ["%", "_", "*", "'", '"', "\\", "a%b"]) {
      expect((await admin.visitor.query("board.page", { search: typed, state: "all" })).status).toBe(200);
    }
    // Whoever is called Varun would be found by "v%a".
    const { number } = order;
    expect(await found(`${number.slice(0, 4)}%${number.slice(-3)}`)).toEqual([]);
    expect(await found(`${number.slice(0, -3)}_${number.slice(-2)}`)).toEqual([]);
  });

  test("finds no orders of other shops", async () => {
    expect(await found(elsewhere.number)).toEqual([]);
    expect(await found(elsewhere.number, admin)).toEqual([elsewhere.id]);
  });
});

function daysAgo(days: number): string {
  return new Date(store.deps.now().getTime() - days * 24 * 60 * 60 * 1000).toISOString();
}

const NEVER = "2099-01-01T00:00:00.000Z";
