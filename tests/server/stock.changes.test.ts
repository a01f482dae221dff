import { beforeAll, describe, expect, test } from "vitest";
import { PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { paymentStatus } from "#shared/payment.ts";
import { mailsTo } from "../factories/mails.ts";
import { getShop, orderFor, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull, refundCash, takeCash } from "../factories/payments.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { moveTo, type PlacedOrder } from "../factories/placed-orders.ts";
import { answerReport, reportError } from "../factories/reprints.ts";
import { codeOf, expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import {
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, placeAtCounter, visitorAt } from "../factories/visits.ts";
import { testStore } from "../setup/test-store.ts";
import { placeFiles } from "./packs.fixtures.ts";

/** Beside ₹1 a page for the colour; everything else is free. */
const PAPERS = { "70 GSM": 100, "Also 70 GSM": 100, Recycled: 50, Bond: 95, "100 GSM": 200 };
type Paper = keyof typeof PAPERS;

const store = testStore();
let shopId: string;
let otherShopId: string;
let owner: StaffPerson;
let clerk: StaffPerson;
let first: Pick<PlacedOrder, "visitor" | "student">;
let ids: Record<Paper, string>;
beforeAll(async () => {
  [otherShopId] = await shopIds(store);
  const { visitor: admin } = await signedInAdmin(store);
  const free = (name: string) => [priceEntry(name, 0)];
  const lists = {
    ...smallPriceList(),
    printedColours: [priceEntry("Black & White", 0), priceEntry("Colour", 100)],
    printingSides: [priceEntry("Single side", 0), priceEntry("Both sides", 0, { sides: 2 })],
    paperTypes: Object.entries(PAPERS).map(([name, price]) => priceEntry(name, price)),
    bindingOptions: free("No binding"),
  };
  shopId = (await shownShop(admin, lists, { offersPickup: true })).id;
  owner = await signedInOwner(store, [shopId]);
  clerk = await signedInCounter(store, [shopId]);
  first = await signedInStudent(store);
  const { paperTypes } = await getShop(first.visitor, shopId);
  ids = Object.fromEntries(paperTypes.map(({ name, _id }) => [name, _id])) as Record<Paper, string>;
});

/** An order on 70 GSM paper. */
async function place(pages = 3, fulfilment: ChosenFulfilment = "pickup") {
  const { visitor, student } = first;
  const order = await orderFor(visitor, { shopId, pages, fulfilment });
  const { status, body } = await visitor.post("/api/v1/prints/printorder", order);
  expect([status, body.message]).toEqual([200, expect.any(String)]);
  return { id: body.data._id as string, number: body.data.orderNumber as string, visitor, student };
}

const setOut = async (paper: Paper, isOut: boolean) =>
  expectDone(await clerk.visitor.mutate("stock.setOut", { shopId, optionId: ids[paper], isOut }));
const changeTo = (paper: Paper, by = clerk) =>
  by.visitor.mutate("stock.change", { shopId, optionId: ids["70 GSM"], toOptionId: ids[paper] });
const ask = async () =>
  expectDone(await clerk.visitor.mutate("stock.ask", { shopId, optionId: ids["70 GSM"] }));
const detail = (orderId: string) => seenByStaff(clerk.visitor, orderId);
const paperOf = async (orderId: string) =>
  (await detail(orderId)).quote.jobs[0].lines.find(({ kind }: { kind: string }) => kind === "paperTypes")
    .name;

const changeMail = async (to: string, number: string) =>
  (await mailsTo(store, to)).find(
    ({ kind, subject }) => kind === "order-changed" && subject.includes(number),
  );

/** Runs this while the paper of all orders is out, and ends with nothing waiting for it. */
async function whileOut<T>(act: () => Promise<T>): Promise<T> {
  await setOut("70 GSM", true);
  try {
    return await act();
  } finally {
    await changeTo("Also 70 GSM");
    await setOut("70 GSM", false);
  }
}

test("orders that wait for an option that is out are changed with one press, and their students told", async () => {
  const [one, two] = [await place(), await place()];
  const result = await whileOut(async () => expectDone(await changeTo("Recycled")));
  expect(result).toEqual({ changed: 2, atCounter: 0, dearer: 0, refusals: [] });
  for (const { id, number, student } of [one, two]) {
    // 3 pages twice at 50 paise each, and the tax of the contract.
    const order = await detail(id);
    expect([await paperOf(id), order.totalPaise, order.state, order.heldAt]).toEqual([
      "Recycled",
      600,
      "placed",
      null,
    ]);
    expect(order.notes[0]).toMatchObject({
      body: expect.stringContaining("“70 GSM” has run out. Paper type is now Recycled"),
      by: clerk.person.fullName,
    });
    const mail = await changeMail(student.email, number);
    expect(mail?.reply_to).toMatch(/@shops\.example$/);
    expect(mail?.text).toMatch(/“70 GSM” has run out .* printed with “Recycled” instead/s);
    expect(mail?.text).toContain("You pay ₹1.00 less than before");
    expect(mail?.text).toMatch(/Order total: ₹6\.00\s+Payment/);
  }
  const log = await store.deps.readDb
    .selectFrom("audit_log")
    .selectAll()
    .where("action", "=", "order.substitute")
    .where("shop_id", "=", shopId)
    .where("subject_id", "=", one.id)
    .execute();
  expect(log).toHaveLength(1);
  expect([log[0]?.before, log[0]?.after].map((state) => JSON.parse(state ?? ""))).toEqual([
    { paperTypes: "70 GSM", total: "₹7.00" },
    { paperTypes: "Recycled", total: "₹6.00" },
  ]);
  const events = store.deps.readDb.selectFrom("live_events").select("kind").where("order_id", "=", one.id);
  expect(await events.orderBy("seq").execute()).toEqual([{ kind: "placed" }, { kind: "held" }]);
});

test("of an order's parts only those with the option change, and an order that cannot be printed so holds up no other", async () => {
  const files = [{ name: "Thesis.pdf", bytes: plainPdf(4) }];
  const both = { printingSide: "Both sides" };
  const layout = { ...PLAIN_LAYOUT, isBooklet: true, pagesPerSide: 2 as const };
  const booklet = await placeFiles(store, shopId, files, { options: both, layout });
  const cover = { printingSide: "Single side", paperType: "100 GSM" };
  const inParts = await placeFiles(store, shopId, files, {
    options: both,
    parts: [{ pages: { 0: "1" }, options: cover }],
  });
  await whileOut(async () => expectDone(await changeTo("Recycled")));
  const papers = (await seenByStudent(inParts.visitor, inParts.id)).options.map(
    (ofPart: { paperTypes: string }) => ofPart.paperTypes,
  );
  expect(papers).toEqual([ids.Recycled, ids["100 GSM"]]);

  const sides = (await getShop(first.visitor, shopId)).printingSides;
  const idOf = (wanted: string) => sides.find(({ name }) => name === wanted)?._id;
  const instead = async (optionId: string | undefined, toOptionId: string | undefined) => {
    const mark = (isOut: boolean) => clerk.visitor.mutate("stock.setOut", { shopId, optionId, isOut });
    expectDone(await mark(true));
    const result = await clerk.visitor.mutate("stock.change", { shopId, optionId, toOptionId });
    expectDone(await mark(false));
    return expectDone(result);
  };
  expect(await instead(idOf("Both sides"), idOf("Single side"))).toEqual({
    changed: 1,
    atCounter: 0,
    dearer: 0,
    refusals: [expect.stringMatching(`^Order ${booklet.number}: A booklet is printed on both sides`)],
  });
  // Its pages are divided between single sides now: on both, page 1 would leave page 2 without a front.
  expect(await instead(idOf("Single side"), idOf("Both sides"))).toMatchObject({
    refusals: [expect.stringMatching(`^Order ${inParts.number}: The pages of a file are divided`)],
  });
});

test("an option at the same price is changed to as well, and the mail says that the price stays", async () => {
  const { id, number, student } = await place();
  await whileOut(async () => {
    expect(expectDone(await changeTo("Also 70 GSM"))).toEqual({
      changed: 1,
      atCounter: 0,
      dearer: 0,
      refusals: [],
    });
  });
  expect([await paperOf(id), (await detail(id)).totalPaise]).toEqual(["Also 70 GSM", 700]);
  expect((await changeMail(student.email, number))?.text).toContain("The price stays the same.");
});

test("no student pays more unasked: what would cost more keeps waiting, also where a cheaper option makes fees dearer", async () => {
  const order = await place();
  // 20 pages at ₹1 are delivered for ₹20 in all; at 95 paise they are ₹19, with a delivery fee of ₹19 and ₹4 of tax.
  const delivered = await place(10, "delivery");
  await whileOut(async () => {
    expect(expectDone(await changeTo("100 GSM"))).toEqual({
      changed: 0,
      atCounter: 0,
      dearer: 2,
      refusals: [],
    });
    expect(expectDone(await changeTo("Bond"))).toMatchObject({ changed: 1, dearer: 1 });
    expect([await paperOf(order.id), await paperOf(delivered.id)]).toEqual(["Bond", "70 GSM"]);
    expect((await detail(delivered.id)).totalPaise).toBe(2000);
    const [waiting] = expectDone(await clerk.visitor.query("stock.list", { shopId })).filter(
      ({ id }: { id: string }) => id === ids["70 GSM"],
    );
    expect(waiting).toMatchObject({ waiting: 1, pricePaise: 100, basis: "page" });
    expect((await ask()).held).toBe(1);
  });
});

test("what was paid too much is a refund that is outstanding, what was too little may be enough, and the day's figures change by the difference", async () => {
  const figures = () =>
    store.deps.readDb
      .selectFrom("daily_stats")
      .select(({ fn }) => [
        fn.sum<number>("orders").as("orders"),
        fn.sum<number>("revenue_paise").as("revenue"),
      ])
      .where("shop_id", "=", shopId)
      .executeTakeFirstOrThrow();
  const { id, student, number } = await place();
  const total = (await detail(id)).totalPaise;
  await payInFull(clerk.visitor, id);
  const partlyPaid = await place();
  expectDone(await takeCash(clerk.visitor, partlyPaid.id, 600));
  const before = await figures();
  store.clock.advance({ minutes: 1 });
  await whileOut(() => changeTo("Recycled"));
  const order = await detail(id);
  expect([order.paidPaise, order.totalPaise, paymentStatus(order)]).toEqual([total, 600, "refund due"]);
  const now = store.deps.now().toISOString();
  expect(await detail(partlyPaid.id)).toMatchObject({ totalPaise: 600, paidPaise: 600, paidAt: now });
  expect(await figures()).toEqual({ orders: before.orders, revenue: before.revenue - 2 * (total - 600) });
  const mail = await changeMail(student.email, number);
  expect(mail?.text).toContain("The shop will refund you ₹1.00");
});

test("an order whose money was partly refunded never gets dearer, and stays paid", async () => {
  const { id } = await place();
  await payInFull(clerk.visitor, id);
  expectDone(await refundCash(owner.visitor, id, 200));
  await whileOut(async () => {
    expect(expectDone(await changeTo("100 GSM"))).toEqual({
      changed: 0,
      atCounter: 0,
      dearer: 1,
      refusals: [],
    });
    expect(expectDone(await changeTo("Recycled"))).toMatchObject({ changed: 1 });
  });
  // Of ₹7.00 the shop holds ₹5.00 now: nothing of ₹6.00 is left to pay.
  expect(await detail(id)).toMatchObject({ totalPaise: 600, paidPaise: 500, paidAt: expect.any(String) });
});

test("a free reprint stays free on any paper, and only the shop chooses another one", async () => {
  const delivered = await place(3, "delivery");
  await moveTo(owner.visitor, delivered.id, "delivered");
  const { visitor } = delivered;
  expectDone(await reportError(delivered));
  expectDone(await answerReport(owner.visitor, delivered.id, true));
  const filesUrl = [await uploadPages(visitor, 3)];
  const { id } = expectDone(await visitor.mutate("reprints.order", { orderId: delivered.id, filesUrl }));
  expectDone(await clerk.visitor.mutate("holds.hold", { orderId: id, reason: "A page is cut off" }));
  const { hold } = await seenByStudent(visitor, id);
  const open = { orderId: id, holdId: hold.id };
  const options = [{ paperTypes: ids["100 GSM"] }];
  const { status, body } = await visitor.query("holds.quote", { ...open, options });
  expect([status, body.error?.data.issues[0].path]).toEqual([422, "options.0.paperTypes"]);
  expectDone(await clerk.visitor.mutate("holds.release", open));
  await whileOut(() => changeTo("100 GSM"));
  expect(await paperOf(id)).toBe("100 GSM");
  expect(await detail(id)).toMatchObject({ totalPaise: 0, paidAt: null });
});

describe("pressed", () => {
  test("twice at once, each order changes once and is mailed once", async () => {
    const orders = [await place(), await place(), await place()];
    const results = await whileOut(() => Promise.all([changeTo("Recycled"), changeTo("Recycled", owner)]));
    const changed = results.map((answer) => expectDone(answer).changed);
    expect([
      changed.reduce((sum, count) => sum + count, 0),
      ...results.flatMap((r) => expectDone(r).refusals),
    ]).toEqual([3]);
    const mails = await mailsTo(store, first.student.email);
    for (const { number } of orders) {
      expect(
        mails.filter(({ kind, subject }) => kind === "order-changed" && subject.includes(number)),
      ).toHaveLength(1);
    }
  });

  test("while an order is printed, held or cancelled it changes wholly or not at all", async () => {
    for (let round = 0; round < 4; round++) {
      const [printed, held, cancelled] = [await place(), await place(), await place()];
      await moveTo(owner.visitor, printed.id, "printing");
      await whileOut(async () => {
        const [change] = await Promise.all([
          changeTo("Recycled"),
          clerk.visitor.mutate("board.move", { orderId: printed.id, from: "printing", to: "printed" }),
          clerk.visitor.mutate("holds.hold", { orderId: held.id, reason: "A page is cut off" }),
          owner.visitor.mutate("board.cancel", { orderId: cancelled.id, from: "placed", reason: "No toner" }),
        ]);
        expect(expectDone(change).refusals).toEqual([]);
        for (const { id } of [printed, held, cancelled]) {
          const { totalPaise, notes } = await detail(id);
          const isChanged = (await paperOf(id)) === "Recycled";
          expect([isChanged, totalPaise, notes.length]).toEqual(isChanged ? [true, 600, 1] : [false, 700, 0]);
        }
      });
    }
  });

  test("for orders that are on hold, being printed or printed, nothing changes, and those being printed are counted and asked about", async () => {
    const [held, printed, printing] = [await place(), await place(), await place()];
    await moveTo(owner.visitor, printing.id, "printing");
    expectDone(await clerk.visitor.mutate("holds.hold", { orderId: held.id, reason: "A page is cut off" }));
    await moveTo(owner.visitor, printed.id, "printed");
    expect(await whileOut(async () => expectDone(await changeTo("Recycled")))).toMatchObject({ changed: 0 });
    for (const { id } of [held, printed, printing]) expect(await paperOf(id)).toBe("70 GSM");
    const listed = expectDone(await clerk.visitor.query("stock.list", { shopId }));
    expect(listed.find(({ id }: { id: string }) => id === ids["70 GSM"])).toMatchObject({
      waiting: 1,
      printing: 1,
    });
    expect(await whileOut(ask)).toEqual({ held: 1, atCounter: 0, refusals: [] });
    expect((await detail(printing.id)).holds[0].reason).toContain("“70 GSM” has run out");
  });
});

test("somebody at the counter is changed or asked as well, and mailed nothing", async () => {
  const visitor = await visitorAt(store, shopId, await codeAt(clerk.visitor, shopId));
  const { id } = await placeAtCounter(visitor, { shopId });
  const changed = await whileOut(async () => expectDone(await changeTo("Recycled")));
  expect(changed).toMatchObject({ changed: 1, atCounter: 1 });
  expect(await paperOf(id)).toBe("Recycled");
  await placeAtCounter(visitor, { shopId });
  await place();
  expect(await whileOut(ask)).toEqual({ held: 2, atCounter: 1, refusals: [] });
  expect(await mailsTo(store, "")).toEqual([]);
});

test("an option that is there, is out too, is of another kind or of another shop is refused", async () => {
  const colours = (await getShop(first.visitor, shopId)).printedColours.map(({ _id }) => _id);
  const elsewhere = (await getShop(first.visitor, otherShopId)).paperTypes[0]?._id;
  const change = (wish: object) =>
    clerk.visitor.mutate("stock.change", {
      shopId,
      optionId: ids["70 GSM"],
      toOptionId: ids.Recycled,
      ...wish,
    });
  expect(codeOf(await change({}))).toBe("CONFLICT");
  await whileOut(async () => {
    await setOut("Recycled", true);
    for (const toOptionId of [ids.Recycled, ids["70 GSM"], colours[0], elsewhere, "nothing"]) {
      const { status, body } = await change({ toOptionId });
      expect([status, body.error.data.issues[0].path]).toEqual([422, "toOptionId"]);
    }
    await setOut("Recycled", false);
    expect(codeOf(await change({ optionId: elsewhere }))).toBe("NOT_FOUND");
    expect(codeOf(await change({ shopId: otherShopId, optionId: elsewhere }))).toBe("NOT_FOUND");
  });
});
