import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { BookDay, BookTotals } from "#server/orders/payments/book.service.ts";
import { addDays, type Day, indianDay, spreadsheetTime, startOfDay } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { duePaise, type OrderMoney, paymentStatus, refundDuePaise } from "#shared/payment.ts";
import { BOOK_FILTERS, type BookFilter } from "#shared/schemas/book.ts";
import type { PaymentMethod } from "#shared/schemas/payments.ts";
import { seenByStaff } from "../factories/orders.ts";
import { refundCash, takeCash } from "../factories/payments.ts";
import { copyOrder, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import {
  logInAgain,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { behindLock, statusesOf, together } from "../factories/together.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let stranger: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(store);
  const [other] = await shopIds(store);
  stranger = await signedInOwner(store, [other]);
});
beforeEach(() => logInAgain(admin, stranger));

interface Shop {
  shopId: string;
  owner: StaffPerson;
  counter: StaffPerson;
  order: PlacedOrder;
}

/** A shop of its own, with an owner, a clerk and an order. */
async function newShop(): Promise<Shop> {
  const { id: shopId } = await shownShop(admin.visitor);
  const owner = await signedInOwner(store, [shopId]);
  const counter = await signedInCounter(store, [shopId]);
  return { shopId, owner, counter, order: await placeOrder(store, shopId) };
}

const today = () => indianDay(store.deps.now());
const dayOf = async ({ owner, shopId }: Shop, day = today()): Promise<BookDay> =>
  expectDone(await owner.visitor.query("book.day", { shopId, day }));

async function close(shop: Shop, changes: Record<string, unknown> = {}, by = shop.owner) {
  const { figures } = await dayOf(shop);
  const cash = { expectedCashPaise: figures.expectedCash, countedCashPaise: figures.expectedCash };
  const input = { shopId: shop.shopId, day: today(), ...cash, ...changes };
  return by.visitor.mutate("book.close", input);
}

/** Orders of this shop that cost these amounts, placed now. */
async function ordersOf(shop: Shop, totals: number[]): Promise<string[]> {
  const placedAt = store.deps.now().toISOString();
  const ids = await copyOrder(
    store,
    shop.order,
    totals.map(() => ({ placedAt })),
  );
  for (const total_paise of new Set(totals)) {
    const same = ids.filter((_, index) => totals[index] === total_paise);
    await store.deps.db.updateTable("orders").set({ total_paise }).where("id", "in", same).execute();
  }
  return ids;
}

interface ModelEntry {
  kind: "payment" | "refund";
  method: PaymentMethod;
  amount: number;
  /** Who entered it, and who reversed it. */
  by: number;
  reversedBy: number | null;
}

interface ModelOrder {
  total: number;
  isCancelled: boolean;
  entries: ModelEntry[];
}

interface Step {
  order: number;
  what: "take" | "take all" | "refund" | "reverse" | "cancel";
  method: PaymentMethod;
  amount: number;
  entry: number;
  by: number;
}

const steps: fc.Arbitrary<Step> = fc.record({
  order: fc.nat(59),
  what: fc.constantFrom("take", "take", "take all", "take all", "take all", "refund", "reverse", "cancel"),
  method: fc.constantFrom("cash", "upi"),
  amount: fc.integer({ min: 1, max: 20_000 }),
  entry: fc.nat(3),
  by: fc.nat(2),
});

const sumOf = (entries: ModelEntry[], kind: ModelEntry["kind"]) =>
  entries
    .filter((entry) => entry.kind === kind && entry.reversedBy === null)
    .reduce((sum, e) => sum + e.amount, 0);

/** Whether the plain rules allow the step; if so, the model takes it. */
function takesStep(order: ModelOrder, step: Step, canRefund: boolean): boolean {
  const [taken, refunded] = [sumOf(order.entries, "payment"), sumOf(order.entries, "refund")];
  const held = taken - refunded;
  const { what, method, by } = step;
  const amount = what === "take all" ? order.total - taken : step.amount;
  const entry = order.entries[step.entry];
  switch (what) {
    case "take":
    case "take all":
      if (order.isCancelled || amount <= 0 || taken + amount > order.total) return false;
      order.entries.push({ kind: "payment", method, amount, by, reversedBy: null });
      return true;
    case "refund":
      if (!canRefund || amount > held) return false;
      order.entries.push({ kind: "refund", method, amount, by, reversedBy: null });
      return true;
    case "reverse":
      if (!canRefund || !entry || entry.reversedBy !== null) return false;
      if (entry.kind === "payment" && entry.amount > held) return false;
      entry.reversedBy = by;
      return true;
    case "cancel":
      if (order.isCancelled || (held > 0 && !canRefund)) return false;
      order.isCancelled = true;
      return true;
  }
}

test("a day of 60 orders, played through by three people, is closed with the books equal to the paisa", async () => {
  const shop = await newShop();
  const people = [shop.owner, shop.counter, await signedInOwner(store, [shop.shopId])];
  const [random = []] = fc.sample(fc.array(steps, { minLength: 220, maxLength: 220 }), {
    numRuns: 1,
    seed: 22,
  });
  const totals = fc.sample(fc.integer({ min: 101, max: 60_000 }), { numRuns: 60, seed: 22 });
  const ids = await ordersOf(shop, totals);
  const model: ModelOrder[] = totals.map((total) => ({ total, isCancelled: false, entries: [] }));
  const outcomes = new Map<string, number>();

  for (const step of random) {
    const [order, orderId = "", person] = [model[step.order], ids[step.order], people[step.by]];
    if (!order || !person) throw new Error("No such order or person");
    const paid = sumOf(order.entries, "payment");
    const original = async () => {
      const { payments } = await seenByStaff(person.visitor, orderId);
      return payments.filter(({ kind }: { kind: string }) => kind !== "reversal")[step.entry]?.id ?? "none";
    };
    const money = { orderId, method: step.method, key: randomUUID() };
    const [procedure, input] = {
      take: ["payments.take", { ...money, amountPaise: step.amount }],
      "take all": ["payments.take", { ...money, amountPaise: order.total - paid }],
      refund: ["payments.refund", { ...money, amountPaise: step.amount, reason: "Blank page" }],
      reverse: [
        "payments.reverse",
        step.what === "reverse" && {
          orderId,
          paymentId: await original(),
          reason: "Mistake",
          key: money.key,
        },
      ],
      cancel: ["board.cancel", { orderId, from: "placed", reason: "No toner" }],
    }[step.what] as [string, unknown];
    const isTaken = takesStep(order, step, step.by !== 1);
    const answer = await person.visitor.mutate(procedure, input);
    expect([step, answer.status === 200, answer.body.error?.message]).toEqual([
      step,
      isTaken,
      isTaken ? undefined : expect.any(String),
    ]);
    const outcome = `${step.what} ${isTaken}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  // Each kind of step was taken and refused, so that the sums prove something.
  for (const what of ["take", "take all", "refund", "reverse", "cancel"])
    for (const isTaken of [true, false])
      expect([`${what} ${isTaken}`, outcomes.has(`${what} ${isTaken}`)]).toEqual([
        `${what} ${isTaken}`,
        true,
      ]);

  const entries = model.flatMap((order) => order.entries.filter(({ reversedBy }) => reversedBy === null));
  const sum = (kind: ModelEntry["kind"], method: PaymentMethod) =>
    sumOf(
      entries.filter((entry) => entry.method === method),
      kind,
    );
  const expected = {
    cashTaken: sum("payment", "cash"),
    upiTaken: sum("payment", "upi"),
    cashRefunded: sum("refund", "cash"),
    upiRefunded: sum("refund", "upi"),
  };
  const expectedCash = expected.cashTaken - expected.cashRefunded;
  expect((await dayOf(shop)).figures).toMatchObject({ ...expected, expectedCash });
  expectDone(await close(shop, { countedCashPaise: expectedCash + 50, note: "50 paise were found" }));
  const closed = await dayOf(shop);
  expect(closed).toMatchObject({
    figures: { ...expected, expectedCash },
    closed: { by: shop.owner.person.fullName, countedCash: expectedCash + 50, note: "50 paise were found" },
  });
  const audit = await store.deps.readDb
    .selectFrom("audit_log")
    .select(["after", "shop_id"])
    .where("action", "=", "book.close")
    .where("subject_id", "=", shop.shopId)
    .executeTakeFirstOrThrow();
  expect(audit.shop_id).toBe(shop.shopId);
  expect(JSON.parse(audit.after ?? "")).toEqual({
    expectedCash: formatPaise(expectedCash),
    countedCash: formatPaise(expectedCash + 50),
    difference: "₹0.50",
    note: "50 paise were found",
  });
  // An entry counts for the person who made it, and a reversal, with the other sign, for the one who reversed it.
  const all = model.flatMap((order) => order.entries);
  const ofClerk = (clerk: number, kind: ModelEntry["kind"], method: PaymentMethod) =>
    all
      .filter((entry) => entry.kind === kind && entry.method === method)
      .reduce((total, { amount, by, reversedBy }) => {
        return total + (by === clerk ? amount : 0) - (reversedBy === clerk ? amount : 0);
      }, 0);
  for (const [clerk, { person }] of people.entries())
    expect(closed.figures.clerks.find(({ name }) => name === person.fullName)).toMatchObject({
      cashTaken: ofClerk(clerk, "payment", "cash"),
      upiTaken: ofClerk(clerk, "payment", "upi"),
      cashRefunded: ofClerk(clerk, "refund", "cash"),
      upiRefunded: ofClerk(clerk, "refund", "upi"),
    });
  expect(closed.figures.clerks).toHaveLength(people.length);

  const period = { shopId: shop.shopId, from: today(), until: today() };
  const book: BookTotals = expectDone(await shop.owner.visitor.query("book.totals", period));
  const { total_paise: first } = await store.deps.readDb
    .selectFrom("orders")
    .select("total_paise")
    .where("id", "=", shop.order.id)
    .executeTakeFirstOrThrow();
  const held = (order: ModelOrder) => sumOf(order.entries, "payment") - sumOf(order.entries, "refund");
  const open = model.filter(({ isCancelled }) => !isCancelled);
  const add = (orders: ModelOrder[], amount: (order: ModelOrder) => number) =>
    orders.reduce((total, order) => total + amount(order), 0);
  expect(book).toMatchObject({
    collected: expected,
    ordered: {
      orders: open.length + 1,
      counts: { all: 61 },
      orderedPaise: add(open, ({ total }) => total) + first,
      paidPaise: add(model, held),
      duePaise: add(open, ({ total, entries }) => total - sumOf(entries, "payment")) + first,
      refundedPaise: add(model, (order) => sumOf(order.entries, "refund")),
      refundDuePaise: add(
        model.filter(({ isCancelled }) => isCancelled),
        held,
      ),
    },
  });
});

test("a closed day stays closed: a later payment or reversal counts on the next open day", async () => {
  const shop = await newShop();
  const [one = "", two = ""] = await ordersOf(shop, [5000, 7000]);
  expectDone(await takeCash(shop.counter.visitor, one, 5000));
  expectDone(await close(shop, {}, shop.counter));
  const before = await dayOf(shop);
  expect(before).toMatchObject({ canClose: false, closed: { by: shop.counter.person.fullName } });

  const again = await close(shop);
  expect([codeOf(again), again.body.error.message]).toEqual([
    "CONFLICT",
    expect.stringContaining(`${shop.counter.person.fullName} closed this day already`),
  ]);
  expectDone(await takeCash(shop.counter.visitor, two, 7000));
  const { payments } = await seenByStaff(shop.owner.visitor, one);
  const reversal = { orderId: one, paymentId: payments[0].id, reason: "Wrong order", key: randomUUID() };
  expectDone(await shop.owner.visitor.mutate("payments.reverse", reversal));

  expect(await dayOf(shop)).toEqual(before);
  const tomorrow = addDays(today(), 1);
  const { fullName: name } = shop.owner.person;
  const { fullName: clerk } = shop.counter.person;
  const at = spreadsheetTime(store.deps.now().toISOString());
  const [{ id: wrong }, { id: reversed }] = (await seenByStaff(shop.owner.visitor, one)).payments;
  const [{ id: later }] = (await seenByStaff(shop.owner.visitor, two)).payments;
  const exported = async (day: Day) => {
    const path = `/admin/export/payments.csv?shopId=${shop.shopId}&from=${day}&until=${day}`;
    return (await shop.owner.visitor.get(path)).body.split("\r\n").slice(1, -1);
  };
  const { name: shopName } = before.shop;
  expect(await exported(today())).toEqual([
    `${wrong},${today()},${at},${one},${shopName},Payment,Cash,50,${clerk},,,`,
  ]);
  expect(await exported(tomorrow)).toEqual([
    `${reversed},${tomorrow},${at},${one},${shopName},Reversal,Cash,-50,${name},${name},Wrong order,${wrong}`,
    `${later},${tomorrow},${at},${two},${shopName},Payment,Cash,70,${clerk},,,`,
  ]);
  // Two people with one name stay two.
  expectDone(await shop.counter.visitor.mutate("accounts.rename", { fullName: name }));
  expect((await dayOf(shop, tomorrow)).figures).toMatchObject({
    cashTaken: 2000,
    expectedCash: 2000,
    clerks: expect.arrayContaining([
      expect.objectContaining({ name, cashTaken: 7000 }),
      expect.objectContaining({ name, cashTaken: -5000 }),
    ]),
  });
  const early = { shopId: shop.shopId, day: tomorrow, expectedCashPaise: 2000, countedCashPaise: 2000 };
  expect(codeOf(await shop.owner.visitor.mutate("book.close", early))).toBe("INVALID_INPUT");
});

test("of five who close a day at once one does, and no payment of that moment is missing or counted twice", async () => {
  const shop = await newShop();
  const ids = await ordersOf(
    shop,
    Array.from({ length: 12 }, () => 1000),
  );
  const day = today();
  const closing = { shopId: shop.shopId, day, expectedCashPaise: 0, countedCashPaise: 0 };
  const [closings, payments] = await Promise.all([
    together(5, () => shop.owner.visitor.mutate("book.close", closing)),
    Promise.all(ids.map((id) => takeCash(shop.counter.visitor, id, 1000))),
  ]);
  expect(statusesOf(payments)).toEqual({ 200: 12 });
  const rows = await store.deps.readDb
    .selectFrom("payments")
    .select(["day", "amount_paise"])
    .where("shop_id", "=", shop.shopId)
    .execute();
  const onDay = rows.filter((row) => row.day === day).reduce((sum, row) => sum + row.amount_paise, 0);
  const { closed, figures } = await dayOf(shop, day);
  expect([rows.length, figures.expectedCash]).toEqual([12, onDay]);
  // Either the closing came first, with nothing in the drawer, or payments did and every closing was refused.
  expect(statusesOf(closings)).toEqual(closed ? { 200: 1, 409: 4 } : { 409: 5 });
  if (closed) expect(onDay).toBe(0);
});

test("a closing that waits for a payment counts it, and is refused where its caller did not see it", async () => {
  const shop = await newShop();
  const [paid = "", other = ""] = await ordersOf(shop, [500, 500]);
  expectDone(await takeCash(shop.counter.visitor, paid, 500));
  const day = today();
  const close = { shopId: shop.shopId, day, expectedCashPaise: 500, countedCashPaise: 500, note: "" };
  const answers = await behindLock(
    store.deps.db,
    (trx) =>
      trx.selectFrom("book_days").select("day").where("shop_id", "=", shop.shopId).forUpdate().execute(),
    [() => takeCash(shop.counter.visitor, other, 500), () => shop.owner.visitor.mutate("book.close", close)],
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
});

test("a day on which more cash went out than came in is closed with less than nothing", async () => {
  const shop = await newShop();
  const [orderId = ""] = await ordersOf(shop, [5000]);
  const byUpi = { orderId, method: "upi", amountPaise: 5000, key: randomUUID() };
  expectDone(await shop.counter.visitor.mutate("payments.take", byUpi));
  expectDone(await refundCash(shop.owner.visitor, orderId, 2000));
  expectDone(await close(shop));
  expect(await dayOf(shop)).toMatchObject({
    figures: { expectedCash: -2000 },
    closed: { countedCash: -2000, note: "" },
  });
});

test("a closing is refused when the cash is not what the caller saw, or differs without a note", async () => {
  const shop = await newShop();
  const [id = ""] = await ordersOf(shop, [5000]);
  expectDone(await takeCash(shop.counter.visitor, id, 5000));
  const stale = await close(shop, { expectedCashPaise: 0, countedCashPaise: 0 });
  expect([codeOf(stale), stale.body.error.message]).toEqual([
    "CONFLICT",
    expect.stringContaining(`The expected cash is ${formatPaise(5000)} now`),
  ]);
  for (const countedCashPaise of [4900, 5100])
    expect(codeOf(await close(shop, { countedCashPaise }))).toBe("INVALID_INPUT");
  expect(await dayOf(shop)).toMatchObject({ closed: null, canClose: true });
  for (const procedure of ["book.day", "book.close"] as const) {
    const input = { shopId: shop.shopId, day: today(), expectedCashPaise: 5000, countedCashPaise: 5000 };
    const answer =
      procedure === "book.day"
        ? await stranger.visitor.query(procedure, input)
        : await stranger.visitor.mutate(procedure, input);
    expect(codeOf(answer)).toBe("NOT_FOUND");
  }
});

test("the day of the book changes at midnight in India", async () => {
  const shop = await newShop();
  const [late = "", early = ""] = await ordersOf(shop, [100, 300]);
  const tomorrow = addDays(today(), 1);
  const midnight = Date.parse(startOfDay(tomorrow));
  store.clock.set(new Date(midnight - 1));
  await logInAgain(shop.counter, shop.owner);
  expectDone(await takeCash(shop.counter.visitor, late, 100));
  store.clock.set(new Date(midnight));
  expectDone(await takeCash(shop.counter.visitor, early, 300));
  expect((await dayOf(shop, addDays(tomorrow, -1))).figures.cashTaken).toBe(100);
  expect(await dayOf(shop, tomorrow)).toMatchObject({
    figures: { cashTaken: 300 },
    openDays: [addDays(tomorrow, -1)],
  });
  store.clock.advance({ days: 1 });
  await logInAgain(shop.owner);
  // Each day's page lists the same days, the newest first.
  expect((await dayOf(shop, tomorrow)).openDays).toEqual([tomorrow, addDays(tomorrow, -1)]);
  const cash = { expectedCashPaise: 300, countedCashPaise: 300 };
  expectDone(await close(shop, { day: tomorrow, ...cash }));
  expect(await dayOf(shop, addDays(tomorrow, -1))).toMatchObject({
    figures: { cashTaken: 100 },
    closed: null,
    openDays: [addDays(tomorrow, -1)],
  });
});

test("an order placed at midnight and an invoice issued then are in the lists of the new day only", async () => {
  const shop = await newShop();
  const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
  const series = { ratePercent: 18, sac: "998912", series: "MID" };
  expectDone(await shop.owner.visitor.mutate("tax.save", { shopId: shop.shopId, ...tax, ...series }));
  const tomorrow = addDays(today(), 1);
  store.clock.set(new Date(startOfDay(tomorrow)));
  await logInAgain(shop.owner);
  const [id = ""] = await ordersOf(shop, [11_800]);
  await store.deps.db.updateTable("orders").set({ state: "dispatched" }).where("id", "=", id).execute();
  expectDone(
    await shop.owner.visitor.mutate("board.move", { orderId: id, from: "dispatched", to: "delivered" }),
  );
  const linesOf = async (name: string, day: Day) => {
    const period = `shopId=${shop.shopId}&from=${day}&until=${day}`;
    const { body } = await shop.owner.visitor.get(`/admin/export/${name}.csv?${period}`);
    return body.split("\r\n").filter((line: string) => line.includes(id)).length;
  };
  for (const name of ["orders", "invoices"])
    expect([name, await linesOf(name, addDays(tomorrow, -1)), await linesOf(name, tomorrow)]).toEqual([
      name,
      0,
      1,
    ]);
});

test("the book of a shop that does not exist is not found, even for an admin", async () => {
  const input = { shopId: randomUUID(), day: today(), expectedCashPaise: 0, countedCashPaise: 0 };
  expect(codeOf(await admin.visitor.query("book.day", input))).toBe("NOT_FOUND");
  expect(codeOf(await admin.visitor.mutate("book.close", input))).toBe("NOT_FOUND");
});

test("an owner without any shop left sees no money, in the book and in its exports", async () => {
  const nobody = await signedInOwner(store, []);
  await logInAgain(nobody);
  const totals = expectDone(
    await nobody.visitor.query("book.totals", { from: addDays(today(), -30), until: today() }),
  );
  expect(totals).toMatchObject({ ordered: { orders: 0 }, collected: { cashTaken: 0, cashRefunded: 0 } });
  for (const name of ["orders", "payments", "invoices"]) {
    const { body } = await nobody.visitor.get(`/admin/export/${name}.csv?from=2020-01-01&until=${today()}`);
    expect([name, body.split("\r\n").length]).toEqual([name, 2]);
  }
});

test("the filters and sums of the book follow the same rules as the screens, in pages that miss nothing", async () => {
  const shop = await newShop();
  const amounts = fc.sample(
    fc.record({
      total: fc.constantFrom(0, 100, 500),
      paid: fc.constantFrom(0, 0, 100, 400, 500),
      refunded: fc.constantFrom(0, 0, 100, 500),
      credited: fc.constantFrom(0, 100),
      isCancelled: fc.boolean(),
    }),
    { numRuns: 70, seed: 7 },
  );
  const ids = await ordersOf(
    shop,
    amounts.map(({ total }) => total),
  );
  for (const [index, { paid, refunded, credited, isCancelled }] of amounts.entries()) {
    await store.deps.db
      .updateTable("orders")
      .set({
        paid_paise: paid,
        refunded_paise: refunded,
        credited_paise: Math.min(credited, refunded),
        state: isCancelled ? "cancelled" : "placed",
      })
      .where("id", "=", ids[index] ?? "")
      .execute();
  }
  const period = { shopId: shop.shopId, from: today(), until: today() };
  const passes: Record<BookFilter, (order: OrderMoney) => boolean> = {
    all: () => true,
    unpaid: (order) => duePaise(order) > 0,
    paid: (order) => duePaise(order) === 0 && order.paidPaise > 0 && order.state !== "cancelled",
    refunded: (order) => order.refundedPaise > 0,
    "refund-due": (order) => refundDuePaise(order) > 0,
  };
  const orders = ids.map((id, index): OrderMoney & { id: string } => {
    const { total = 0, paid = 0, refunded = 0, credited = 0, isCancelled } = amounts[index] ?? {};
    const state = isCancelled ? "cancelled" : "placed";
    return {
      id,
      state,
      totalPaise: total,
      paidPaise: paid,
      refundedPaise: refunded,
      creditedPaise: Math.min(credited, refunded),
    };
  });
  const { totalPaise } = await seenByStaff(admin.visitor, shop.order.id);
  orders.push({
    id: shop.order.id,
    state: "placed",
    totalPaise,
    paidPaise: 0,
    refundedPaise: 0,
    creditedPaise: 0,
  });

  const { ordered }: BookTotals = expectDone(await shop.owner.visitor.query("book.totals", period));
  for (const filter of BOOK_FILTERS) {
    const found: string[] = [];
    let cursor = null;
    do {
      const page = expectDone(await shop.owner.visitor.query("book.orders", { ...period, filter, cursor }));
      found.push(...page.rows.map(({ id }: { id: string }) => id));
      cursor = page.next;
    } while (cursor);
    const wanted = orders.filter(passes[filter]).map(({ id }) => id);
    expect([filter, found.toSorted()]).toEqual([filter, wanted.toSorted()]);
    expect([filter, ordered.counts[filter]]).toEqual([filter, wanted.length]);
  }
  const sum = (amount: (order: OrderMoney) => number) =>
    orders.reduce((all, order) => all + amount(order), 0);
  expect([ordered.duePaise, ordered.refundDuePaise]).toEqual([sum(duePaise), sum(refundDuePaise)]);
  // Nothing is both settled and open.
  for (const order of orders) {
    const status = paymentStatus({ ...order, fulfilment: "pickup", upiId: "" });
    expect([status, duePaise(order) > 0 && status === "paid"]).toEqual([status, false]);
  }
});

test("a refund that is outstanding for years is found, and is outstanding no more once it is paid", async () => {
  const shop = await newShop();
  const [old = "", older = "", cancelled = "", recent = "", settled = ""] = await copyOrder(
    store,
    shop.order,
    ["2024-03-01", "2021-01-31", "2020-07-01", today(), "2021-01-01"].map((day) => ({
      placedAt: startOfDay(day),
    })),
  );
  const money = (id: string, changes: object) =>
    store.deps.db.updateTable("orders").set(changes).where("id", "=", id).execute();
  await money(old, { total_paise: 500, paid_paise: 700 });
  await money(older, { total_paise: 500, paid_paise: 550 });
  await money(cancelled, { total_paise: 500, paid_paise: 500, state: "cancelled" });
  await money(recent, { total_paise: 500, paid_paise: 900 });
  await money(settled, { total_paise: 500, paid_paise: 500 });
  const outstanding = async (before: string, by = shop.owner) =>
    expectDone(await by.visitor.query("book.outstanding", { shopId: shop.shopId, before }));
  expect(await outstanding(today())).toEqual({
    orders: 3,
    amountPaise: 750,
    oldest: startOfDay("2020-07-01"),
  });
  expect(await outstanding("2021-01-31")).toMatchObject({ orders: 1, amountPaise: 500 });
  expect(await outstanding("2020-01-01")).toEqual({ orders: 0, amountPaise: 0, oldest: null });
  const any = { shopId: shop.shopId, from: "2020-01-01", until: today(), filter: "refund-due" };
  const { rows } = expectDone(await shop.owner.visitor.query("book.orders", any));
  expect(rows.map(({ id }: { id: string }) => id)).toEqual([recent, old, older, cancelled]);
  expectDone(await refundCash(shop.owner.visitor, old, 200));
  expect(await outstanding(today(), admin)).toMatchObject({ orders: 2, amountPaise: 550 });
  const all = expectDone(await shop.owner.visitor.query("book.outstanding", { before: today() }));
  expect(all).toMatchObject({ orders: 2 });
  const elsewhere = await stranger.visitor.query("book.outstanding", {
    shopId: shop.shopId,
    before: today(),
  });
  expect(codeOf(elsewhere)).toBe("NOT_FOUND");
});

test("an unpaid order of a shop that takes UPI is called what the order table calls it, on the screen's rows and in the export", async () => {
  const shop = await newShop();
  const [id = ""] = await ordersOf(shop, [500]);
  const { db } = store.deps;
  await db.updateTable("shops").set({ upi_id: "shop@upi" }).where("id", "=", shop.shopId).execute();

  const any = { shopId: shop.shopId, from: today(), until: today(), filter: "all" };
  const { rows } = expectDone(await shop.owner.visitor.query("book.orders", any));
  const row = rows.find((each: { id: string }) => each.id === id);
  expect(row).toMatchObject({ upiId: "shop@upi" });
  const path = `/admin/export/orders.csv?shopId=${shop.shopId}&from=${today()}&until=${today()}`;
  const placed = spreadsheetTime(store.deps.now().toISOString());
  store.clock.advance({ minutes: 1 });
  const { body } = await shop.owner.visitor.get(path);
  const { fullName } = shop.order.student;
  expect(body.split("\r\n")).toContain(
    `${id},${placed},${row.shopName},${fullName},Placed,Unpaid · UPI,5,0,5,0,0`,
  );
});

test("the export is UTF-8 with a byte order mark, escapes formulas, and has each row once, over several reads", async () => {
  const shop = await newShop();
  const [id = ""] = await ordersOf(shop, [500, ...Array.from({ length: 620 }, () => 100)]);
  const { user_id } = await store.deps.readDb
    .selectFrom("orders")
    .select("user_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  await store.deps.db
    .updateTable("users")
    .set({ full_name: '=HYPERLINK("x"), Ölaf' })
    .where("id", "=", user_id)
    .execute();
  expectDone(await takeCash(shop.counter.visitor, id, 500));
  const refund = { orderId: id, method: "upi", amountPaise: 123, reason: "+1\n@page", key: randomUUID() };
  expectDone(await shop.owner.visitor.mutate("payments.refund", refund));
  const path = (name: string) =>
    `/admin/export/${name}.csv?shopId=${shop.shopId}&from=2020-01-01&until=${today()}`;

  const response = await shop.owner.visitor.fetch(path("orders"));
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("private, no-store");
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).split("\r\n");
  expect(lines[0]).toBe(
    "Order,Placed,Shop,Student,State,Payment,Total,Paid,Left to pay,Refunded,Refund outstanding",
  );
  const numbers = lines.slice(1, -1).map((line) => line.split(",")[0]);
  expect([numbers.length, new Set(numbers).size]).toEqual([622, 622]);
  const paid = lines.find((line) => line.startsWith(`${id},`));
  expect(paid).toContain(`"'=HYPERLINK(""x""), Ölaf",Placed,Paid,5,3.77,0,1.23,0`);

  expect(lines.filter((line) => line.endsWith(",Placed,Pay on delivery,1,0,1,0,0"))).toHaveLength(620);

  const { body } = await shop.owner.visitor.get(path("payments"));
  expect(body).toContain(
    `Refund,UPI,-1.23,${shop.owner.person.fullName},${shop.owner.person.fullName},"'+1\n@page",`,
  );
  expect(body).toContain(`Payment,Cash,5,${shop.counter.person.fullName},,,`);
  const payment = await store.deps.readDb
    .selectFrom("payments")
    .selectAll()
    .where("order_id", "=", id)
    .where("kind", "=", "payment")
    .executeTakeFirstOrThrow();
  const more = Array.from({ length: 610 }, (_, index) => ({
    ...payment,
    id: randomUUID(),
    client_key: `payment-${index}`,
  }));
  await store.deps.db.insertInto("payments").values(more).execute();
  const paymentIds = (await shop.owner.visitor.get(path("payments"))).body
    .split("\r\n")
    .filter((line: string) => line.includes(",Payment,"))
    .map((line: string) => line.split(",")[0]);
  expect([paymentIds.length, new Set(paymentIds).size]).toEqual([611, 611]);

  expect((await shop.counter.visitor.get(path("orders"))).status).toBe(403);
  for (const name of ["orders", "payments"])
    expect([name, (await stranger.visitor.get(path(name))).status]).toEqual([name, 404]);
  expect((await store.visitor().get(path("payments"))).status).toBe(404);
  const backwards = `/admin/export/orders.csv?from=2026-11-22&until=2026-11-21`;
  expect(await shop.owner.visitor.get(backwards)).toMatchObject({
    status: 422,
    body: "The last day cannot be before the first",
  });
  store.clock.advance({ minutes: 11 });
  expect((await shop.owner.visitor.get(path("orders"))).body).toBe(
    "Please confirm your identity and try again",
  );
});

test("orders that are handed over at the same time get tax invoices numbered without a gap, each only one", async () => {
  const shop = await newShop();
  const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
  const series = { ratePercent: 18, sac: "998912", series: "BK" };
  expectDone(await shop.owner.visitor.mutate("tax.save", { shopId: shop.shopId, ...tax, ...series }));
  const ids = await ordersOf(shop, Array(6).fill(11_800));
  await store.deps.db.updateTable("orders").set({ state: "dispatched" }).where("id", "in", ids).execute();

  const answers = await together(12, (index) => {
    const orderId = ids[index % 6] ?? "";
    const payment = { method: "cash", amountPaise: 11_800, key: `hand-over-${index % 6}` };
    const move = { orderId, from: "dispatched", to: "delivered", ...(index % 2 === 0 && { payment }) };
    return shop.owner.visitor.mutate("board.move", move);
  });
  expect(statusesOf(answers)).toEqual({ 200: 6, 409: 6 });
  const refunds = await together(6, (index) => refundCash(shop.owner.visitor, ids[index] ?? "", 100));
  expect(statusesOf(refunds)).toEqual({ 200: 3, 409: 3 });

  const issued = await store.deps.db
    .selectFrom("invoices")
    .select(["order_id", "kind", "seq", "total_paise", "taxable_paise", "cgst_paise", "sgst_paise"])
    .where("shop_id", "=", shop.shopId)
    .orderBy("kind", "desc")
    .orderBy("seq")
    .execute();
  const split = { total_paise: 11_800, taxable_paise: 10_000, cgst_paise: 900, sgst_paise: 900 };
  expect(issued.slice(0, 6)).toMatchObject(
    [1, 2, 3, 4, 5, 6].map((seq) => ({ ...split, kind: "invoice", seq })),
  );
  expect(new Set(issued.slice(0, 6).map(({ order_id }) => order_id))).toEqual(new Set(ids));
  expect(issued.slice(6)).toMatchObject([1, 2, 3].map((seq) => ({ kind: "credit", seq, total_paise: -100 })));

  const { db } = store.deps;
  for (const table of ["payments", "invoices"] as const) {
    const change = db.updateTable(table).set({ reason: "Another one" }).where("shop_id", "=", shop.shopId);
    await expect(change.execute()).rejects.toThrow(`${table} are only added`);
    await expect(db.deleteFrom(table).execute()).rejects.toThrow(`${table} are only added`);
  }
});

test("the export of tax invoices has each invoice and note once, in the order of their numbers, with the invoice of each note", async () => {
  const shop = await newShop();
  const tax = { gstin: "27AAPFU0939F1ZV", legalName: "Asha Prints", address: "4 Mall Road, Pune" };
  const series = { ratePercent: 18, sac: "998912", series: "EX" };
  expectDone(await shop.owner.visitor.mutate("tax.save", { shopId: shop.shopId, ...tax, ...series }));
  const ids = await ordersOf(shop, [11_800, 11_800, 0]);
  const [home = "", away = ""] = ids;
  await store.deps.db.updateTable("orders").set({ state: "dispatched" }).where("id", "in", ids).execute();
  const address = JSON.stringify({ country: "India, Karnataka", roadNo: "1", flatno: "2", fullname: "Asha" });
  await store.deps.db
    .updateTable("orders")
    .set({ address, shop_name: "=Asha Prints" })
    .where("id", "=", away)
    .execute();
  for (const [index, orderId] of ids.entries()) {
    const payment = { method: "cash", amountPaise: 11_800, key: `export-${index}` };
    const move = { orderId, from: "dispatched", to: "delivered", ...(index < 2 && { payment }) };
    expectDone(await shop.owner.visitor.mutate("board.move", move));
    store.clock.advance({ seconds: 1 });
  }
  const refund = { method: "cash", amountPaise: 1180, key: randomUUID(), reason: "=1+1, blank page" };
  expectDone(await shop.owner.visitor.mutate("payments.refund", { orderId: away, ...refund }));
  const path = `/admin/export/invoices.csv?shopId=${shop.shopId}&from=2020-01-01&until=${today()}`;
  const { headers, body } = await shop.owner.visitor.get(path);
  expect(headers.get("content-disposition")).toContain(`invoices 2020-01-01 to ${today()}.csv`);
  const years = "2627";
  expect(body.replace("\uFEFF", "").split("\r\n")).toEqual([
    "Number,Date,Kind,For invoice,Shop,GSTIN,Place of supply,HSN/SAC,Rate (%),Taxable value,CGST,SGST,IGST,Total,Order,Reason",
    expect.stringMatching(
      `^EX/${years}/1,${today()},Tax invoice,,[^,]+,${tax.gstin},27-Maharashtra,998912,18,100,9,9,0,118,${home},$`,
    ),
    `EX/${years}/2,${today()},Tax invoice,,"'=Asha Prints",${tax.gstin},29-Karnataka,998912,18,100,0,0,18,118,${away},`,
    `EX/${years}/C1,${today()},Credit note,EX/${years}/2,"'=Asha Prints",${tax.gstin},29-Karnataka,998912,18,-10,0,0,-1.8,-11.8,${away},"'=1+1, blank page"`,
    "",
  ]);
  expect(
    (await shop.owner.visitor.get(path.replace(/until=.*/, "until=2020-01-02"))).body.split("\r\n"),
  ).toHaveLength(2);
  expect((await shop.counter.visitor.get(path)).status).toBe(403);
  expect((await stranger.visitor.get(path)).status).toBe(404);
  expect((await store.visitor().get(path)).status).toBe(404);
  const { seq: _, ...note } = await store.deps.readDb
    .selectFrom("invoices")
    .selectAll()
    .where("kind", "=", "credit")
    .where("order_id", "=", away)
    .executeTakeFirstOrThrow();
  const more = Array.from({ length: 510 }, (_, index) => ({ ...note, id: randomUUID(), seq: index + 2 }));
  await store.deps.db.insertInto("invoices").values(more).execute();
  const numbers = (await shop.owner.visitor.get(path)).body
    .split("\r\n")
    .map((line: string) => line.split(",")[0]);
  expect([numbers.length, new Set(numbers).size]).toEqual([515, 515]);
  store.clock.advance({ minutes: 11 });
  expect((await shop.owner.visitor.get(path)).body).toBe("Please confirm your identity and try again");
});

test("tax invoices are numbered from one for each GSTIN and each financial year", async () => {
  const shop = await newShop();
  const base = { gstin: "", legalName: "", address: "", ratePercent: 18, sac: "998912", series: "INV" };
  const settings = { ...base, legalName: "Asha Prints", address: "4 Mall Road", series: "NY" };
  const save = (gstin: string, before: object) =>
    shop.owner.visitor.mutate("tax.save", { shopId: shop.shopId, ...settings, gstin, base: before });
  const handOver = async () => {
    const [orderId = ""] = await ordersOf(shop, [11_800]);
    await store.deps.db
      .updateTable("orders")
      .set({ state: "dispatched" })
      .where("id", "=", orderId)
      .execute();
    const move = { orderId, from: "dispatched", to: "delivered" };
    expectDone(await shop.owner.visitor.mutate("board.move", move));
  };
  expectDone(await save("27AAPFU0939F1ZV", base));
  await handOver();
  expectDone(await save("03AAPFU0939F1Z5", { ...settings, gstin: "27AAPFU0939F1ZV" }));
  await handOver();
  store.clock.advance({ days: 200 });
  await logInAgain(shop.owner);
  await handOver();
  const issued = await store.deps.db
    .selectFrom("invoices")
    .select(["gstin", "year", "seq"])
    .where("shop_id", "=", shop.shopId)
    .orderBy("id")
    .execute();
  expect(issued.map(({ gstin, year, seq }) => [gstin.slice(0, 2), year, seq])).toEqual([
    ["27", 2026, 1],
    ["03", 2026, 1],
    ["03", 2027, 1],
  ]);
});
