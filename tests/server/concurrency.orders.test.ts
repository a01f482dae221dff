import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Db, isOnPostgres } from "#db/database.ts";
import { endDueVisits } from "#server/privacy/visits.jobs.ts";
import { indianDay } from "#shared/indian-time.ts";
import { ORDER_STATES } from "#shared/order-states.ts";
import { VISIT_HOURS } from "#shared/visits.ts";
import { orderFor, uploadPages } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError } from "../factories/reprints.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { refusalsOf, statusesOf, together } from "../factories/together.ts";
import { codeAt, placeAtCounter, visitorAt } from "../factories/visits.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

const MANY = 20;

let store: TestStore;
let admin: StaffPerson;
let shopId: string;
let visitor: ApiClient;
let student: Student;
beforeAll(async () => {
  store = await startTestStore();
  admin = await signedInAdmin(store);
  shopId = (await shownShop(admin.visitor, undefined, { offersPickup: true })).id;
  ({ visitor, student } = await signedInStudent(store));
});
afterAll(() => store.stop());

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
    expect(refusalsOf(answers)).toEqual([expect.stringContaining("belongs to another order")]);
    expect(await ordersWith(order.orderData.filesUrl[0])).toHaveLength(1);
  });

  test("either order a file or delete it", async () => {
    for (let round = 0; round < 5; round++) {
      const order = await orderFor(visitor, { shopId });
      const id = order.orderData.filesUrl[0]?.split("/").at(-1);
      const [placed, removed] = await Promise.all([place(order), visitor.mutate("files.remove", { id })]);

      expect([placed?.status, removed?.status].sort()).toEqual([200, 409]);
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
      `${admin.person.fullName} was first: order ${order.number} is ${state} already`,
    ]);
  });

  test("mark an order as paid before it is cancelled, or not at all", async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placeAnother(visitor, student, shopId);
      const [paid, cancelled] = await Promise.all([
        payInFull(admin.visitor, order.id),
        admin.visitor.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "No paper" }),
      ]);
      expect(cancelled?.status).toBe(200);
      expect([200, 409]).toContain(paid?.status);
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

    expect(statusesOf(answers)).toEqual({ 403: MANY - 5, 422: 5 });
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

      const log = await store.deps.readDb
        .selectFrom("live_events")
        .select("state")
        .where("order_id", "=", order.id)
        .orderBy("seq")
        .execute();
      const steps = log.map(({ state }) => ORDER_STATES.indexOf(state));
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    }
  });
});

describe("the end of a visit and a hand-over at the same moment", () => {
  test("lock the visit's orders before the numbering of the invoices, so that neither waits for the other for ever", async () => {
    const { db, readDb } = store.deps;
    const shop = await shownShop(admin.visitor);
    const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
    const series = { ratePercent: 18, sac: "998912", series: "CO" };
    expectDone(await admin.visitor.mutate("tax.save", { shopId: shop.id, ...tax, ...series }));
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
    store.clock.advance({ hours: VISIT_HOURS, seconds: 1 });
    await logInAgain(admin);
    const handOver = () => admin.visitor.mutate("board.handOver", { orderId: ids[1], proof: { by: "name" } });

    // SQLite runs one transaction at a time.
    let answers: Promise<unknown>[] = [];
    if (isOnPostgres(db)) {
      await db.transaction().execute(async (trx) => {
        await trx.updateTable("shop_taxes").set({ series: "CO" }).where("shop_id", "=", shop.id).execute();
        answers = [endDueVisits(store.deps)];
        const unlocked = db.selectFrom("orders").select("id").where("id", "in", ids).forUpdate().skipLocked();
        await expect.poll(() => unlocked.execute()).toEqual([]);
        await expect.poll(() => countWaiting(readDb)).toBeGreaterThanOrEqual(1);
        answers.push(handOver());
        // The server's own jobs may wait beside the two.
        await expect.poll(() => countWaiting(readDb)).toBeGreaterThanOrEqual(2);
      });
    } else answers = [endDueVisits(store.deps), handOver()];
    await Promise.all(answers);

    const ended = await readDb.selectFrom("orders").select("state").where("id", "in", ids).execute();
    expect(ended.map(({ state }) => state)).toEqual(["delivered", "delivered"]);
    const invoices = await readDb
      .selectFrom("invoices")
      .select("seq")
      .where("shop_id", "=", shop.id)
      .execute();
    expect(invoices.map(({ seq }) => seq).sort()).toEqual([1, 2]);
  });
});

/** How many sessions of this database wait for a lock. */
async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.count ?? 0;
}
