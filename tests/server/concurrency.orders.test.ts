import { beforeAll, describe, expect, test } from "vitest";
import { isOnPostgres } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import { lockOpenDay } from "#server/orders/payments/payments.queries.ts";
import { endDueVisits } from "#server/privacy/privacy.service.ts";
import { indianDay } from "#shared/indian-time.ts";
import { ORDER_STATES } from "#shared/order-states.ts";
import { VISIT_HOURS } from "#shared/visits.ts";
import { orderFor, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError } from "../factories/reprints.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { behindLock, countWaiting, refusalsOf, statusesOf, together } from "../factories/together.ts";
import { codeAt, placeAtCounter, visitOrderFor, visitorAt } from "../factories/visits.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const MANY = 20;

const store = testStore();
let admin: StaffPerson;
let shopId: string;
let visitor: ApiClient;
let student: Student;
beforeAll(async () => {
  admin = await signedInAdmin(store);
  shopId = (await shownShop(admin.visitor, undefined, { offersPickup: true })).id;
  ({ visitor, student } = await signedInStudent(store));
});

const place = (order: unknown, key?: string) =>
  visitor.post("/api/v1/prints/printorder", order, key ? { "Idempotency-Key": key } : {});
const ordersWith = async (fileUrl: string | undefined) =>
  store.deps.readDb
    .selectFrom("order_files")
    .select("order_id")
    .where("file_id", "=", fileUrl?.split("/").at(-1) ?? "")
    .execute();
const eventsOf = ({ id }: PlacedOrder) =>
  store.deps.readDb.selectFrom("order_events").select("state").where("order_id", "=", id).execute();
/** What screens were told of it, in order. */
const logOf = ({ id }: PlacedOrder) =>
  store.deps.readDb
    .selectFrom("live_events")
    .select(["kind", "state"])
    .where("order_id", "=", id)
    .orderBy("seq")
    .execute();

describe("simultaneous requests of students", () => {
  test("with one idempotency key create one order, and all are answered with it", async () => {
    const order = await orderFor(visitor, { shopId });
    const answers = await together(MANY, () => place(order, "one-key"));

    expect(statusesOf(answers)).toEqual({ 200: MANY });
    expect(new Set(answers.map(({ body }) => body.data._id)).size).toBe(1);
    expect(await ordersWith(order.orderData.filesUrl[0])).toHaveLength(1);
  });

  test("with one key for different orders create the first and refuse the others", async () => {
    const order = await orderFor(visitor, { shopId });
    const answers = await together(MANY, (index) =>
      place({ ...order, orderData: { ...order.orderData, message: `${index}` } }, "another-key"),
    );

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(refusalsOf(answers)).toEqual(["This order was already placed with other details"]);
  });

  test("order a file once", async () => {
    const order = await orderFor(visitor, { shopId });
    const answers = await together(MANY, () => place(order));

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(refusalsOf(answers)).toEqual([expect.stringContaining("is in your order")]);
    expect(await ordersWith(order.orderData.filesUrl[0])).toHaveLength(1);
  });

  test("either order a file or delete it", async () => {
    for (let round = 0; round < 5; round++) {
      const order = await orderFor(visitor, { shopId });
      const id = order.orderData.filesUrl[0]?.split("/").at(-1);
      const answers = await Promise.all([place(order), visitor.mutate("files.remove", { id })]);

      const isPlaced = answers[0].status === 200;
      expect(answers.map(({ status }) => status)).toEqual(isPlaced ? [200, 409] : [409, 200]);
      // On PostgreSQL the file may go between the order's look at it and its claim.
      const told = isPlaced ? /belongs to an order and cannot be removed/ : /(has been|or) deleted/;
      expect(refusalsOf(answers)).toEqual([expect.stringMatching(told)]);
    }
  });

  test("count each placed order once in the stats and the live events", async () => {
    const shop = await shownShop(admin.visitor);
    const orders = await together(15, () => orderFor(visitor, { shopId: shop.id, pages: 3, copies: 2 }));
    const answers = await Promise.all(orders.map((order) => place(order)));
    expect(statusesOf(answers)).toEqual({ 200: 15 });

    const figures = await store.deps.readDb
      .selectFrom("daily_stats")
      .select(["orders", "pages", "day"])
      .where("shop_id", "=", shop.id)
      .execute();
    expect(figures).toEqual([{ orders: 15, pages: 90, day: indianDay(store.deps.now().toISOString()) }]);
    const log = await store.deps.readDb.selectFrom("live_events").select("seq").orderBy("seq").execute();
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  });

  test("rate an order once", async () => {
    const shop = await shownShop(admin.visitor);
    const { id, visitor: rater } = await deliveredOrder(store, admin.visitor, shop.id);
    const answers = await together(MANY, (index) =>
      rater.mutate("ratings.rate", { orderId: id, stars: 1 + (index % 5) }),
    );

    expect(statusesOf(answers)).toEqual({ 200: MANY });
    const { readDb } = store.deps;
    const order = await readDb.selectFrom("orders").select("stars").where("id", "=", id).executeTakeFirst();
    const rated = await readDb
      .selectFrom("shops")
      .select(["rating_count", "star_sum"])
      .where("id", "=", shop.id)
      .executeTakeFirst();
    expect(rated).toEqual({ rating_count: 1, star_sum: order?.stars });
  });

  test("report a printing error once", async () => {
    const order = await deliveredOrder(store, admin.visitor, shopId);
    const answers = await together(MANY, () => reportError(order));

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(refusalsOf(answers)).toEqual([`You have reported an error of order ${order.number} already`]);
  });

  test("order an accepted reprint once", async () => {
    const order = await deliveredOrder(store, admin.visitor, shopId);
    await reportError(order);
    const answer = { orderId: order.id, accepted: true, answer: "Sorry!" };
    const accepted = await together(5, () => admin.visitor.mutate("reprints.answer", answer));
    expect(statusesOf(accepted)).toEqual({ 200: 1, 409: 4 });
    expect(refusalsOf(accepted)).toEqual([`${admin.person.fullName} has already answered this report`]);

    const files = await together(8, () => uploadPages(order.visitor, 3));
    const answers = await Promise.all(
      files.map((url) => order.visitor.mutate("reprints.order", { orderId: order.id, filesUrl: [url] })),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 7 });
    expect(refusalsOf(answers)).toEqual(["This reprint is ordered already"]);
  });
});

describe("simultaneous actions of staff", () => {
  test("either move or cancel an order", async () => {
    const order = await placeAnother(visitor, student, shopId);
    const from = { orderId: order.id, from: "placed" };
    const answers = await together(MANY, (index) =>
      index % 2
        ? admin.visitor.mutate("board.move", { ...from, to: "printing" })
        : admin.visitor.mutate("board.cancel", { ...from, reason: "No paper" }),
    );

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: MANY - 1 });
    expect(await eventsOf(order)).toHaveLength(2);
    const { state } = (await eventsOf(order)).at(-1) ?? {};
    expect(refusalsOf(answers)).toEqual([
      `${admin.person.fullName} has already marked order ${order.number} as ${state}`,
    ]);
  });

  test("mark an order as paid before it is cancelled, or not at all", async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placeAnother(visitor, student, shopId);
      const [paid, cancelled] = await Promise.all([
        payInFull(admin.visitor, order.id),
        admin.visitor.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "No paper" }),
      ]);
      const isPaid = paid?.status === 200;
      expect([paid?.status, cancelled?.status]).toEqual([isPaid ? 200 : 409, 200]);
      expect(await logOf(order)).toEqual([
        { kind: "placed", state: "placed" },
        ...(isPaid ? [{ kind: "paid", state: "placed" }] : []),
        { kind: "moved", state: "cancelled" },
      ]);
    }
  });

  test("accept five wrong pickup codes, then refuse all, even the right one", async () => {
    const order = await placeAnother(visitor, student, shopId, "pickup");
    await moveTo(admin.visitor, order.id, "printed");
    const { body } = await visitor.query("orders.one", { orderId: order.id });
    const right: string = body.result.data.pickupCode;
    const wrong = right === "0000" ? "0001" : "0000";
    const handOver = (code: string) =>
      admin.visitor.mutate("board.handOver", { orderId: order.id, proof: { by: "code", code } });

    const answers = await together(MANY, () => handOver(wrong));

    expect(statusesOf(answers)).toEqual({ 403: MANY - 4, 422: 4 });
    expect((await handOver(right)).status).toBe(403);
  });

  test("note and move an order, and no live event has an outdated state", async () => {
    for (let round = 0; round < 3; round++) {
      const order = await placeAnother(visitor, student, shopId);
      const notes = together(8, (index) =>
        admin.visitor.mutate("board.note", { orderId: order.id, body: `Note ${index}` }),
      );
      await moveTo(admin.visitor, order.id, "delivered");
      await notes;

      const steps = (await logOf(order)).map(({ state }) => ORDER_STATES.indexOf(state));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    }
  });
});

describe("the end of a visit and a hand-over at the same moment", () => {
  test.each([
    ["the end of the visit", "VE"],
    ["the hand-over", "HO"],
  ] as const)(
    "lock the visit's orders before the numbering of the invoices, so that neither waits for the other for ever: %s is first",
    async (first, series) => {
      const { db, readDb } = store.deps;
      await logInAgain(admin);
      const shop = await shownShop(admin.visitor);
      const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
      const terms = { ratePercent: 18, sac: "998912", series };
      expectDone(await admin.visitor.mutate("tax.save", { shopId: shop.id, ...tax, ...terms }));
      const guest = await visitorAt(store, shop.id, await codeAt(admin.visitor, shop.id));
      const orders = [
        await placeAtCounter(guest, { shopId: shop.id }),
        await placeAtCounter(guest, { shopId: shop.id }),
      ];
      const ids = orders.map(({ id }) => id);
      for (const id of ids) {
        expectDone(await payInFull(admin.visitor, id));
        await moveTo(admin.visitor, id, "printed");
      }
      const proof = { by: "name" };
      const handOver = () => admin.visitor.mutate("board.handOver", { orderId: ids[1], proof });
      // Not before, or the server's own job would be the first.
      const endVisits = async () => {
        store.clock.advance({ hours: VISIT_HOURS, seconds: 1 });
        await endDueVisits(store.deps);
        return undefined;
      };

      const isHandOver = first === "the hand-over";
      const [one, two] = isHandOver ? [handOver, endVisits] : [endVisits, handOver];
      const locked = isHandOver ? ids.slice(1) : ids;
      const unlocked = () =>
        db.selectFrom("orders").select("id").where("id", "in", locked).forUpdate().skipLocked().execute();
      // SQLite runs one transaction at a time.
      let calls: Promise<ApiAnswer | undefined>[] = [];
      if (isOnPostgres(db)) {
        await db.transaction().execute(async (trx) => {
          await trx.updateTable("shop_taxes").set({ series }).where("shop_id", "=", shop.id).execute();
          calls = [one()];
          await expect.poll(unlocked).toEqual([]);
          await expect.poll(() => countWaiting(readDb)).toBeGreaterThanOrEqual(1);
          calls.push(two());
          // The server's own jobs may wait beside the two.
          await expect.poll(() => countWaiting(readDb)).toBeGreaterThanOrEqual(2);
        });
      } else calls = [one(), two()];
      await Promise.all(calls);

      const ended = await readDb.selectFrom("orders").select("state").where("id", "in", ids).execute();
      expect(ended.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
      const invoices = await readDb
        .selectFrom("invoices")
        .select("seq")
        .where("shop_id", "=", shop.id)
        .execute();
      expect(invoices.map(({ seq }) => seq).sort()).toEqual([1, 2]);
    },
  );
});

describe("the number of the next live event, for which every change of an order waits, stays free", () => {
  /** Makes the call while a transaction holds what `lock` locks. */
  async function expectFreeWhile(lock: (trx: Trx) => Promise<unknown>, call: () => Promise<unknown>) {
    const { db, readDb } = store.deps;
    // SQLite runs one transaction at a time.
    if (!isOnPostgres(db)) return call();
    const head = readDb.selectFrom("live_event_head").select("id").forUpdate().skipLocked();
    let called: Promise<unknown> | undefined;
    const free = await db.transaction().execute(async (trx) => {
      await lock(trx);
      called = call();
      await expect.poll(() => countWaiting(readDb)).toBeGreaterThanOrEqual(1);
      return head.execute();
    });
    await called;
    expect(free).toHaveLength(1);
  }
  const lockDay = (trx: Trx) => lockOpenDay(trx, shopId, indianDay(store.deps.now()));
  const payment = (amountPaise: number) => ({ method: "cash", amountPaise, key: crypto.randomUUID() });

  test("while an order at the counter with its payment waits for the day of the book", async () => {
    const { idempotencyKey: key, ...order } = await visitOrderFor(admin.visitor, { shopId });
    const paid = payment(Math.round(order.orderValue.orderTotal * 100));
    const input = { ...order, key, shopId, payment: paid };
    await expectFreeWhile(lockDay, async () =>
      expectDone(await admin.visitor.mutate("visits.walkIn", input)),
    );
  });

  test("while a hand-over of what is still being printed, with its payment, waits for that day", async () => {
    const guest = await visitorAt(store, shopId, await codeAt(admin.visitor, shopId));
    const { id: orderId } = await placeAtCounter(guest, { shopId });
    await moveTo(admin.visitor, orderId, "printing");
    const { totalPaise } = await seenByStaff(admin.visitor, orderId);
    const input = { orderId, proof: { by: "name" }, payment: payment(totalPaise) };
    await expectFreeWhile(lockDay, async () =>
      expectDone(await admin.visitor.mutate("board.handOver", input)),
    );
  });

  test.each([
    ["the numbering of invoices", "shop_taxes"],
    ["an order that was handed over before", "orders"],
  ] as const)("while the end of a visit waits for %s", async (_what, table) => {
    await logInAgain(admin);
    const shop = await shownShop(admin.visitor);
    const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
    const terms = { ratePercent: 18, sac: "998912", series: `L${table.length}` };
    expectDone(await admin.visitor.mutate("tax.save", { shopId: shop.id, ...tax, ...terms }));
    const guest = await visitorAt(store, shop.id, await codeAt(admin.visitor, shop.id));
    const placeNext = () => {
      store.clock.advance({ ms: 1 });
      return placeAtCounter(guest, { shopId: shop.id });
    };
    const [collected, , paid] = [await placeNext(), await placeNext(), await placeNext()];
    await moveTo(admin.visitor, collected.id, "printed");
    const proof = { by: "name" };
    expectDone(await admin.visitor.mutate("board.handOver", { orderId: collected.id, proof }));
    expectDone(await payInFull(admin.visitor, paid.id));
    await moveTo(admin.visitor, paid.id, "printed");

    const lock = (trx: Trx) =>
      table === "orders"
        ? trx.selectFrom("orders").select("id").where("id", "=", collected.id).forUpdate().execute()
        : trx.selectFrom("shop_taxes").select("shop_id").where("shop_id", "=", shop.id).forUpdate().execute();
    await expectFreeWhile(lock, async () => {
      store.clock.advance({ hours: VISIT_HOURS, seconds: 1 });
      await endDueVisits(store.deps);
    });
    const { readDb } = store.deps;
    const orders = readDb.selectFrom("orders").select("state").where("shop_id", "=", shop.id);
    const states = (await orders.orderBy("created_at").execute()).map(({ state }) => state);
    expect(states).toEqual(["delivered", "cancelled", "delivered"]);
  });
});

describe("of two calls that wait for one order the second sees what the first has done:", () => {
  let other: StaffPerson;
  beforeAll(async () => {
    other = await signedInAdmin(store);
  });

  const inTurn = (orderId: string, ...calls: (() => Promise<ApiAnswer>)[]) =>
    behindLock(
      store.deps.db,
      (trx) => trx.selectFrom("orders").select("id").where("id", "=", orderId).forUpdate().execute(),
      calls,
    );
  const statusesInTurn = async (orderId: string, ...calls: (() => Promise<ApiAnswer>)[]) =>
    (await inTurn(orderId, ...calls)).map(({ status }) => status);

  /** An order on hold, and what ends that. */
  async function heldOrder() {
    const { id: orderId, fileId } = await placeAnother(visitor, student, shopId);
    expectDone(await admin.visitor.mutate("holds.hold", { orderId, reason: "A page is cut off" }));
    const { hold, pages, quote } = await seenByStudent(visitor, orderId);
    const open = { orderId, holdId: hold.id };
    const files = [{ fileId, fileUrl: await uploadPages(visitor, pages) }];
    const change = { ...open, files, expectedTotalPaise: quote.totalPaise };
    return {
      orderId,
      release: () => admin.visitor.mutate("holds.release", open),
      cancel: () => visitor.mutate("holds.cancel", open),
      change: () => visitor.mutate("holds.change", change),
    };
  }

  test("it is put on hold once", async () => {
    const { id: orderId } = await placeAnother(visitor, student, shopId);
    const hold = (by: StaffPerson, reason: string) => () =>
      by.visitor.mutate("holds.hold", { orderId, reason });
    const holds = [hold(admin, "A page is cut off"), hold(other, "The file is blank")];
    const answers = await inTurn(orderId, ...holds);
    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 1 });
    expect(refusalsOf(answers)).toEqual([
      expect.stringMatching(new RegExp(`^${admin.person.fullName} has already put order .* on hold`)),
    ]);
  });

  test.each([
    ["released", "cancel"],
    ["released", "change"],
    ["cancelled", "release"],
    ["cancelled", "change"],
    ["changed", "cancel"],
    ["changed", "release"],
  ] as const)("once it is %s there is nothing to %s", async (first, second) => {
    const held = await heldOrder();
    const { released, cancelled, changed } = {
      released: held.release,
      cancelled: held.cancel,
      changed: held.change,
    };
    const calls = [{ released, cancelled, changed }[first], held[second]];
    expect(await statusesInTurn(held.orderId, ...calls)).toEqual([200, 409]);
  });

  test("after the last wrong pickup code no code hands it over", async () => {
    const { id: orderId } = await placeAnother(visitor, student, shopId, "pickup");
    await moveTo(admin.visitor, orderId, "printed");
    const { pickupCode } = await seenByStudent(visitor, orderId);
    await store.deps.db
      .updateTable("orders")
      .set({ pickup_tries_left: 1 })
      .where("id", "=", orderId)
      .execute();
    const handOver = (code: string) => () =>
      admin.visitor.mutate("board.handOver", { orderId, proof: { by: "code", code } });
    const wrong = pickupCode === "0000" ? "0001" : "0000";
    expect(await statusesInTurn(orderId, handOver(wrong), handOver(pickupCode))).toEqual([403, 403]);
  });

  test("its stars count once", async () => {
    const shop = await shownShop(admin.visitor);
    const { id: orderId, visitor: rater } = await deliveredOrder(store, admin.visitor, shop.id);
    const rate = (stars: number) => () => rater.mutate("ratings.rate", { orderId, stars });
    expect(await statusesInTurn(orderId, rate(1), rate(5))).toEqual([200, 200]);
    const counted = store.deps.readDb.selectFrom("shops").select(["rating_count", "star_sum"]);
    expect(await counted.where("id", "=", shop.id).executeTakeFirst()).toEqual({
      rating_count: 1,
      star_sum: 5,
    });
  });
});
