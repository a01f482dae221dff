import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { deletePrintedFiles } from "#server/orders/board/moves.service.ts";
import type { HoldRecord } from "#server/orders/holds/holds.queries.ts";
import { endDueVisits } from "#server/privacy/privacy.service.ts";
import { HOLD_DAYS, HOLD_MS, HOLD_REASONS } from "#shared/holds.ts";
import { formatPaise } from "#shared/money.ts";
import { MAX_PAGES } from "#shared/order-limits.ts";
import { duePaise, paymentStatus } from "#shared/payment.ts";
import { mailsTo } from "../factories/mails.ts";
import { getShop, orderFor, seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull, refundCash, takeCash } from "../factories/payments.ts";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { codeOf } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInCounter, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, placeAtCounter, removeHours, visitorAt } from "../factories/visits.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const REASON = HOLD_REASONS[0];

const store = testStore();
let shopId: string;
let otherShopId: string;
let owner: StaffPerson;
let clerk: StaffPerson;
let first: PlacedOrder;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
  clerk = await signedInCounter(store, [shopId]);
  first = await placeOrder(store, shopId);
});

const newOrder = () => placeAnother(first.visitor, first.student, shopId);
const logInAll = () =>
  logInAgain(owner, clerk, { visitor: first.visitor, person: first.student, userId: "" });
const textOf = ({ body }: ApiAnswer) => body.error?.message;
const hold = (orderId: string, reason: string = REASON, by = clerk) =>
  by.visitor.mutate("holds.hold", { orderId, reason });
const detail = (orderId: string) => seenByStaff(clerk.visitor, orderId);
const own = (orderId: string) => seenByStudent(first.visitor, orderId);
const rows = (orderId: string) =>
  store.deps.readDb.selectFrom("order_holds").selectAll().where("order_id", "=", orderId).execute();

/** What live screens were told of an order. */
async function eventsOf(orderId: string): Promise<string[]> {
  const events = store.deps.readDb.selectFrom("live_events").select("kind").where("order_id", "=", orderId);
  return (await events.orderBy("seq").execute()).map(({ kind }) => kind);
}

/** The mail of this kind about an order. */
async function mailOf(kind: string, to: string, number: string) {
  const mails = await mailsTo(store, to);
  return mails.find((mail) => mail.kind === kind && mail.subject.includes(number));
}

/** A new order that is on hold, and the hold's id. */
async function heldOrder(reason: string = REASON) {
  const order = await newOrder();
  expect(codeOf(await hold(order.id, reason))).toBe("done");
  return { ...order, holdId: (await own(order.id)).hold.id as string };
}

/** The dearest other paper type than the order's, which changes its price. */
async function otherPaper(orderId: string) {
  const { paperTypes } = await getShop(first.visitor, shopId);
  const { options } = await own(orderId);
  const others = paperTypes.filter(({ _id }) => _id !== options[0].paperTypes);
  const [dearest] = others.toSorted((a, b) => b.pricePaise - a.pricePaise);
  if (!dearest) throw new Error("the shop has one paper type only");
  return dearest;
}

describe("putting an order on hold", () => {
  test("tells the student on the page, in the list and by mail why, and the board that it is held", async () => {
    const order = await heldOrder("The paper has run out");
    // Without the name of who works there.
    expect((await own(order.id)).hold).toEqual({
      id: order.holdId,
      reason: "The paper has run out",
      at: store.deps.now().toISOString(),
      answer: "",
      answeredAt: null,
    });
    const list = (await first.visitor.query("orders.mine", {})).body.result.data.rows;
    expect(list[0]).toMatchObject({
      id: order.id,
      holdReason: "The paper has run out",
      holdAnsweredAt: null,
    });
    const mail = await mailOf("order-held", order.student.email, order.number);
    expect(mail?.subject).toBe(`Order ${order.number} is on hold`);
    expect(mail?.text).toContain("The paper has run out");
    expect(mail?.text).toContain("you can answer, replace the file, choose another option or cancel");
    const board = (await clerk.visitor.query("board.read", {})).body.result.data;
    const card = board.columns[0].cards.find(({ id }: { id: string }) => id === order.id);
    expect(card).toMatchObject({ holdReason: "The paper has run out", heldAt: expect.any(String) });
  });

  test("pressed twice counts once, and of two clerks one is told who was first", async () => {
    for (let round = 0; round < 3; round++) {
      const { id } = await newOrder();
      const twice = await Promise.all([hold(id), hold(id)]);
      expect(twice.map(codeOf)).toEqual(["done", "done"]);
      expect(await rows(id)).toHaveLength(1);
      const another = await newOrder();
      const both = await Promise.all([hold(another.id), hold(another.id, "My own reason", owner)]);
      expect(both.map(codeOf).sort()).toEqual(["CONFLICT", "done"]);
      expect(both.map(textOf).join()).toMatch(/has already put order \S+ on hold/);
      expect(await rows(another.id)).toHaveLength(1);
    }
    const { id } = await newOrder();
    const both = [await hold(id), await hold(id, REASON, owner)];
    expect(both.map(codeOf)).toEqual(["done", "CONFLICT"]);
  });

  test("is refused once the order has left the shop or is over", async () => {
    for (const state of ["dispatched", "delivered"] as const) {
      const { id } = await newOrder();
      await moveTo(owner.visitor, id, state);
      expect([state, codeOf(await hold(id))]).toEqual([state, "CONFLICT"]);
    }
    const { id } = await newOrder();
    await owner.visitor.mutate("board.cancel", { orderId: id, from: "placed", reason: "No toner" });
    expect(codeOf(await hold(id))).toBe("CONFLICT");
    expect((await detail(id)).heldAt).toBeNull();
  });

  test("of several orders tells for each whether it is held", async () => {
    const [one, two] = [await newOrder(), await newOrder()];
    const stranger = await placeOrder(store, otherShopId);
    const answer = await clerk.visitor.mutate("holds.holdSeveral", {
      orderIds: [one.id, stranger.id, two.id],
      reason: "The paper has run out",
    });
    expect(answer.body.result.data.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, false, true]);
    expect((await detail(two.id)).holds[0].reason).toBe("The paper has run out");
  });
});

describe("an order on hold", () => {
  test("cannot be printed: neither moved on, alone or with others, nor as a pack", async () => {
    const { id } = await heldOrder();
    const move = { orderId: id, from: "placed", to: "printing" };
    const moved = await clerk.visitor.mutate("board.move", move);
    expect([moved.status, textOf(moved)]).toEqual([
      409,
      expect.stringMatching(/is on hold. Release it first/),
    ]);
    const several = await clerk.visitor.mutate("board.moveSeveral", {
      orders: [{ orderId: id, from: "placed" }],
      to: "printing",
    });
    expect(several.body.result.data[0].ok).toBe(false);
    const pack = await clerk.visitor.get(`/admin/orders/${id}/pack.pdf`);
    expect([pack.status, pack.body]).toEqual([409, expect.stringContaining("is on hold")]);
    expect((await detail(id)).state).toBe("placed");
  });

  test("goes on once released, once: the second release is refused, and the audit log says who did both", async () => {
    const { id, holdId } = await heldOrder();
    const release = () => clerk.visitor.mutate("holds.release", { orderId: id, holdId });
    const both = await Promise.all([release(), release()]);
    expect(both.map(codeOf).sort()).toEqual(["CONFLICT", "done"]);
    const audit = store.deps.readDb
      .selectFrom("audit_log")
      .select(["action", "by_name", "shop_id", "after"])
      .where("subject_id", "=", id);
    const by = { by_name: clerk.person.fullName, shop_id: shopId };
    expect(await audit.orderBy("id").execute()).toEqual([
      { ...by, action: "order.hold", after: JSON.stringify({ reason: REASON }) },
      { ...by, action: "order.release", after: null },
    ]);
    await moveTo(owner.visitor, id, "printing");
    expect((await own(id)).hold).toBeNull();
  });

  test("that staff cancel is on hold no more", async () => {
    const { id } = await heldOrder();
    await owner.visitor.mutate("board.cancel", { orderId: id, from: "placed", reason: "No toner" });
    expect((await rows(id))[0]).toMatchObject({ how: "cancelled", resolved_at: expect.any(String) });
    expect((await detail(id)).heldAt).toBeNull();
  });

  test("keeps its printed files past the time of grace, for a week at most", async () => {
    const { id, fileId } = await newOrder();
    await moveTo(owner.visitor, id, "printed");
    await hold(id, "The address is not complete");
    const week = new Date(store.deps.now().getTime() + HOLD_MS).toISOString();
    expect((await detail(id)).filesDeleteAt).toBe(week);
    store.clock.advance({ hours: 2 });
    await deletePrintedFiles(store.deps);
    const isDeleted = async () => {
      const files = store.deps.readDb.selectFrom("files").select("deleted_at").where("id", "=", fileId);
      return (await files.executeTakeFirstOrThrow()).deleted_at !== null;
    };
    expect(await isDeleted()).toBe(false);
    store.clock.advance({ days: HOLD_DAYS });
    await deletePrintedFiles(store.deps);
    expect(await isDeleted()).toBe(true);
    await logInAll();
  });

  test("can go back to printing once printed, and gives its files a new time of grace when released", async () => {
    const { id } = await newOrder();
    await moveTo(owner.visitor, id, "printed");
    const before = (await detail(id)).filesDeleteAt;
    await hold(id);
    const { holds, filesDeleteAt: during } = await detail(id);
    await clerk.visitor.mutate("holds.release", { orderId: id, holdId: holds[0].id });
    expect([during > before, (await detail(id)).filesDeleteAt]).toEqual([true, before]);
    await hold(id);
    const back = await clerk.visitor.mutate("board.move", { orderId: id, from: "printed", to: "printing" });
    expect(codeOf(back)).toBe("done");
    expect((await detail(id)).heldAt).toEqual(expect.any(String));
  });

  test("of somebody at the counter is mailed to nobody, and its visit's end settles it", async () => {
    await removeHours(store, shopId);
    const code = await codeAt(clerk.visitor, shopId);
    const { id } = await placeAtCounter(await visitorAt(store, shopId, code), { shopId });
    expect(codeOf(await hold(id))).toBe("done");
    expect(await mailsTo(store, "")).toEqual([]);
    store.clock.advance({ hours: 3 });
    await endDueVisits(store.deps);
    await logInAll();
    expect(await detail(id)).toMatchObject({ state: "cancelled", heldAt: null, holds: [] });
  });
});

describe("the student's answer", () => {
  test("reaches the shop at once, and staff may then ask again", async () => {
    const { id, holdId } = await heldOrder();
    const answered = await first.visitor.mutate("holds.answer", {
      orderId: id,
      holdId,
      answer: "Print it as it is",
    });
    expect(codeOf(answered)).toBe("done");
    expect((await detail(id)).holds[0]).toMatchObject({ answer: "Print it as it is" });
    const { shop, number } = await own(id);
    const mail = await mailOf("order-hold-reply", shop.email, number);
    expect(mail?.subject).toBe(`Answer about order ${number}`);
    expect(mail?.text).toContain("Print it as it is");
    store.clock.advance({ seconds: 1 });
    expect(codeOf(await hold(id, "Are you sure?"))).toBe("done");
    const asked = (await detail(id)).holds.map(({ reason, how }: HoldRecord) => [reason, how]);
    expect(asked).toEqual([
      ["Are you sure?", null],
      [expect.any(String), "asked again"],
    ]);
    for (const list of [
      await clerk.visitor.query("board.page", { search: number }),
      await first.visitor.query("orders.mine", {}),
    ]) {
      const listed = list.body.result.data.rows.filter((each: { id: string }) => each.id === id);
      expect(listed).toEqual([
        expect.objectContaining({ holdReason: "Are you sure?", holdAnsweredAt: null }),
      ]);
    }
    const late = await first.visitor.mutate("holds.answer", { orderId: id, holdId, answer: "Yes" });
    expect([codeOf(late), textOf(late)]).toEqual([
      "CONFLICT",
      expect.stringContaining("asked something else"),
    ]);
    const askedAgainAt = store.deps.now().toISOString();
    store.clock.advance({ seconds: 1 });
    const second = { orderId: id, holdId: (await own(id)).hold.id };
    expect(codeOf(await clerk.visitor.mutate("holds.release", second))).toBe("done");
    expect((await detail(id)).holds).toMatchObject([
      { how: "released", resolvedAt: store.deps.now().toISOString() },
      { how: "asked again", resolvedAt: askedAgainAt },
    ]);
  });

  test("counts once, is bounded, and comes too late for a hold that has ended", async () => {
    const { id, holdId } = await heldOrder();
    const answer = (text: string) =>
      first.visitor.mutate("holds.answer", { orderId: id, holdId, answer: text });
    expect(codeOf(await answer("x".repeat(1001)))).toBe("INVALID_INPUT");
    expect((await Promise.all([answer("Yes"), answer("Yes")])).map(codeOf)).toEqual(["done", "done"]);
    expect(codeOf(await answer("No"))).toBe("CONFLICT");
    await clerk.visitor.mutate("holds.release", { orderId: id, holdId });
    expect(codeOf(await answer("Yes"))).toBe("CONFLICT");
    // The hold, the one answer and the release.
    expect(await eventsOf(id)).toEqual(["placed", "held", "held", "held"]);
  });

  test("at the moment of a release leaves the order free, with or without the answer", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, holdId } = await heldOrder();
      const [released] = await Promise.all([
        clerk.visitor.mutate("holds.release", { orderId: id, holdId }),
        first.visitor.mutate("holds.answer", { orderId: id, holdId, answer: "Yes" }),
      ]);
      expect(codeOf(released)).toBe("done");
      expect((await detail(id)).heldAt).toBeNull();
      await moveTo(owner.visitor, id, "printing");
    }
  });
});

describe("a replaced file", () => {
  test("is counted by the server, shown with the old and the new price, and printed once that is accepted", async () => {
    const { id, fileId, holdId } = await heldOrder();
    const files = [{ fileId, fileUrl: await uploadPages(first.visitor, 7) }];
    const quoted = await first.visitor.query("holds.quote", { orderId: id, holdId, files });
    const { before, after, pages } = quoted.body.result.data;
    expect([pages, after.totalPaise > before.totalPaise]).toEqual([7, true]);
    const change = { orderId: id, holdId, files };
    const cheaper = await first.visitor.mutate("holds.change", {
      ...change,
      expectedTotalPaise: before.totalPaise,
    });
    expect([cheaper.status, codeOf(cheaper)]).toEqual([409, "PRICE_CHANGED"]);
    expect((await detail(id)).files[0].id).toBe(fileId);
    const agreed = { ...change, expectedTotalPaise: after.totalPaise };
    const both = await Promise.all([
      first.visitor.mutate("holds.change", agreed),
      first.visitor.mutate("holds.change", agreed),
    ]);
    expect(both.map(codeOf).sort()).toEqual(["CONFLICT", "done"]);

    const order = await detail(id);
    expect(order).toMatchObject({ heldAt: null, pages: 7, totalPaise: after.totalPaise });
    expect(order.files).toHaveLength(1);
    expect(order.quote).toEqual(after);
    expect(order.notes[0].body).toMatch(/^Changed by the student: .*7 pages/);
    const { shop, number } = await own(id);
    const told = await mailOf("order-hold-reply", shop.email, number);
    expect(told?.subject).toBe(`Order ${number} was changed and can be printed`);
    expect(told?.reply_to).toBe(first.student.email);
    expect(told?.text).not.toContain("print it again");
    expect((await mailOf("order-changed", first.student.email, number))?.text).toContain("7 pages");
    expect((await own(id)).fileStatus).toMatchObject({ count: 1, status: "kept" });
    expect((await clerk.visitor.get(`/files/${fileId}`)).status).toBe(404);
    const pack = await clerk.visitor.get(`/admin/orders/${id}/pack.pdf`);
    expect(pack.status).toBe(200);
  });

  test("of an order that is being printed has it wait for its turn again: what lies at the printer is the old file", async () => {
    const { id, fileId } = await newOrder();
    await moveTo(owner.visitor, id, "printing");
    expect(codeOf(await hold(id))).toBe("done");
    const change = {
      orderId: id,
      holdId: (await own(id)).hold.id as string,
      files: [{ fileId, fileUrl: await uploadPages(first.visitor, 7) }],
    };
    const quoted = await first.visitor.query("holds.quote", change);
    const expectedTotalPaise = quoted.body.result.data.after.totalPaise;
    expect(codeOf(await first.visitor.mutate("holds.change", { ...change, expectedTotalPaise }))).toBe(
      "done",
    );
    const { state, history } = await detail(id);
    expect([state, history.map((step: { state: string }) => step.state)]).toEqual([
      "placed",
      ["placed", "printing", "placed"],
    ]);
    expect(history.at(-1).by).toBe(first.student.fullName);
    const { shop, number } = await own(id);
    expect((await mailOf("order-hold-reply", shop.email, number))?.text).toContain("Please print it again");
    const late = await clerk.visitor.mutate("board.move", { orderId: id, from: "printing", to: "printed" });
    expect(textOf(late)).toBe(`Order ${number} was changed by its student and has to be printed again`);
  });

  test("changes the day's figures by the difference, and a cancellation takes it out of them", async () => {
    const figures = () =>
      store.deps.readDb
        .selectFrom("daily_stats")
        .select(({ fn }) => [fn.sum<number>("pages").as("pages"), fn.sum<number>("orders").as("orders")])
        .where("shop_id", "=", shopId)
        .executeTakeFirstOrThrow();
    const { id, fileId, holdId } = await heldOrder();
    const before = await figures();
    const files = [{ fileId, fileUrl: await uploadPages(first.visitor, 5), pages: "1-4" }];
    const { after } = (await first.visitor.query("holds.quote", { orderId: id, holdId, files })).body.result
      .data;
    await first.visitor.mutate("holds.change", {
      orderId: id,
      holdId,
      files,
      expectedTotalPaise: after.totalPaise,
    });
    // 4 instead of 3 pages, each in 2 copies.
    expect(await figures()).toEqual({ pages: before.pages + 2, orders: before.orders });

    expect(codeOf(await hold(id))).toBe("done");
    const again = { orderId: id, holdId: (await own(id)).hold.id };
    expect(codeOf(await first.visitor.mutate("holds.cancel", again))).toBe("done");
    expect(await figures()).toEqual({ pages: before.pages - 6, orders: before.orders - 1 });
  });

  test("of a paid order leaves the rest to be paid, or the excess to be given back", async () => {
    for (const [pages, status] of [
      [9, "partly paid"],
      [1, "refund due"],
    ] as const) {
      const { id, fileId, holdId } = await heldOrder();
      await payInFull(clerk.visitor, id);
      const { paidAt } = await detail(id);
      store.clock.advance({ minutes: 1 });
      const files = [{ fileId, fileUrl: await uploadPages(first.visitor, pages) }];
      const quoted = await first.visitor.query("holds.quote", { orderId: id, holdId, files });
      const { totalPaise } = quoted.body.result.data.after;
      const change = { orderId: id, holdId, files, expectedTotalPaise: totalPaise };
      expect(codeOf(await first.visitor.mutate("holds.change", change))).toBe("done");
      const order = await detail(id);
      expect([paymentStatus(order), order.paidAt]).toEqual([status, pages === 9 ? null : paidAt]);
      const { shop, number } = await own(id);
      const excess = formatPaise(order.paidPaise - totalPaise);
      const toShop = await mailOf("order-hold-reply", shop.email, number);
      const asked = /Please refund (\S+) to the student/.exec(toShop?.text ?? "")?.[1];
      const toStudent = await mailOf("order-changed", first.student.email, number);
      const told = /The shop will refund you (\S+)\./.exec(toStudent?.text ?? "")?.[1];
      expect([asked, told]).toEqual(pages === 1 ? [excess, excess] : [undefined, undefined]);
      expect(await eventsOf(id)).toEqual(["placed", "held", "paid", "held"]);
    }
  });

  test("that costs less has what was paid too much refunded, and a dearer one after it is owed in full", async () => {
    const { id, fileId, holdId } = await heldOrder();
    const { totalPaise: agreedPaise } = await detail(id);
    for (const amountPaise of [100, agreedPaise - 100])
      expect(codeOf(await takeCash(clerk.visitor, id, amountPaise))).toBe("done");
    const changeTo = async (open: { fileId: string; holdId: string }, pages: number) => {
      const files = [{ fileId: open.fileId, fileUrl: await uploadPages(first.visitor, pages) }];
      const changes = { orderId: id, holdId: open.holdId, files };
      const quoted = await first.visitor.query("holds.quote", changes);
      const expectedTotalPaise = quoted.body.result?.data.after.totalPaise ?? 0;
      return first.visitor.mutate("holds.change", { ...changes, expectedTotalPaise });
    };
    expect(codeOf(await changeTo({ fileId, holdId }, 1))).toBe("done");
    const cheaper = await detail(id);
    const excessPaise = agreedPaise - cheaper.totalPaise;
    expect(codeOf(await refundCash(owner.visitor, id, excessPaise))).toBe("done");
    expect(paymentStatus(await detail(id))).toBe("paid");

    // One of the two payments was a mistake.
    const reversal = {
      orderId: id,
      paymentId: cheaper.payments[0].id,
      reason: "Entered twice",
      key: randomUUID(),
    };
    expect(codeOf(await owner.visitor.mutate("payments.reverse", reversal))).toBe("done");
    expect(duePaise(await detail(id))).toBe(100);
    expect(codeOf(await takeCash(clerk.visitor, id, 100))).toBe("done");

    expect(codeOf(await hold(id))).toBe("done");
    expect(codeOf(await changeTo({ fileId: cheaper.files[0].id, holdId: (await own(id)).hold.id }, 9))).toBe(
      "done",
    );
    const dearer = await detail(id);
    expect([paymentStatus(dearer), duePaise(dearer)]).toEqual([
      "partly paid",
      dearer.totalPaise - cheaper.totalPaise,
    ]);
    expect(dearer.paidAt).toBeNull();
  });

  test("must be the student's own, in no order, and stand for a file of this order", async () => {
    const { id, fileId, holdId } = await heldOrder();
    const other = await newOrder();
    const { visitor } = await signedInStudent(store);
    const [unseen = "", huge = ""] = await Promise.all([1, 2].map(() => uploadPages(first.visitor, 1)));
    for (const [url, change] of [
      [unseen, { converted_from: "docx" }],
      [huge, { pages: MAX_PAGES + 1 }],
    ] as const) {
      const file = store.deps.db.updateTable("files").set(change);
      await file.where("id", "=", url.split("/").at(-1) ?? "").execute();
    }
    const tries: [string, object[]][] = [
      ["somebody else's", [{ fileId, fileUrl: await uploadPages(visitor, 1) }]],
      ["of another order", [{ fileId, fileUrl: `/files/${other.fileId}` }]],
      ["for another order's", [{ fileId: other.fileId, fileUrl: await uploadPages(first.visitor, 1) }]],
      ["converted and not looked at", [{ fileId, fileUrl: unseen }]],
      ["of too many pages", [{ fileId, fileUrl: huge }]],
      ["of no page", [{ fileId, fileUrl: await uploadPages(first.visitor, 1), pages: "none" }]],
      ["nothing", []],
      [
        "twice",
        await Promise.all([1, 2].map(async () => ({ fileId, fileUrl: await uploadPages(first.visitor, 1) }))),
      ],
    ];
    for (const [name, files] of tries) {
      const answer = await first.visitor.mutate("holds.change", {
        orderId: id,
        holdId,
        files,
        expectedTotalPaise: 0,
      });
      // Not the price, which is wrong too.
      const isConflict = ["of another order", "converted and not looked at"].includes(name);
      expect([name, codeOf(answer)]).toEqual([name, isConflict ? "CONFLICT" : "INVALID_INPUT"]);
    }
    // More than an amount in the database can be.
    const { db } = store.deps;
    const hugeId = huge.split("/").at(-1) ?? "";
    await db.updateTable("files").set({ pages: MAX_PAGES }).where("id", "=", hugeId).execute();
    await db.updateTable("orders").set({ copies: 1000 }).where("id", "=", id).execute();
    const dear = { orderId: id, holdId, files: [{ fileId, fileUrl: huge }] };
    expect(textOf(await first.visitor.query("holds.quote", dear))).toMatch(/^This order would be too large/);
    expect((await detail(id)).files[0]).toMatchObject({ id: fileId, deletedAt: null });
    expect((await detail(other.id)).files[0]).toMatchObject({ id: other.fileId, deletedAt: null });
  });

  test("is refused with more ranges of pages than an order may have when it is placed", async () => {
    const filesUrl = await Promise.all(Array.from({ length: 5 }, () => uploadPages(first.visitor, 1)));
    const wishes = { shopId, filesUrl, pages: 5, pagesOfEach: [1, 1, 1, 1, 1] };
    const placed = await first.visitor.post(
      "/api/v1/prints/printorder",
      await orderFor(first.visitor, wishes),
    );
    const id = placed.body.data._id;
    await hold(id);
    const { files: present, hold: open } = await own(id);
    const pages = Array.from({ length: 450 }, (_, at) => 2 * at + 1).join();
    const files = await Promise.all(
      present.map(async (file: { id: string }) => ({
        fileId: file.id,
        fileUrl: await uploadPages(first.visitor, 900),
        pages,
      })),
    );
    const quote = (changed: unknown[]) =>
      first.visitor.query("holds.quote", { orderId: id, holdId: open.id, files: changed });
    expect(codeOf(await quote(files.slice(1)))).toBe("done");
    expect(textOf(await quote(files))).toBe(
      "At most 2,000 ranges of pages fit in one order. Please choose fewer",
    );
  });

  test("is refused for an order that is not on hold, and for one that is printed", async () => {
    const { id, number, fileId } = await newOrder();
    const files = [{ fileId, fileUrl: await uploadPages(first.visitor, 1) }];
    const change = (holdId: string) =>
      first.visitor.mutate("holds.change", { orderId: id, holdId, files, expectedTotalPaise: 0 });
    expect(codeOf(await change("any"))).toBe("CONFLICT");
    await moveTo(owner.visitor, id, "printed");
    await hold(id);
    const mail = await mailOf("order-held", first.student.email, number);
    expect(mail?.text).toContain("Please answer on your order's page. Or reply");
    const printed = await change((await own(id)).hold.id);
    expect([codeOf(printed), textOf(printed)]).toEqual([
      "CONFLICT",
      expect.stringContaining("printed already"),
    ]);
  });
});

describe("another option", () => {
  test("costs what the shop charges today, while the others keep their agreed price", async () => {
    const { id, holdId } = await heldOrder("The paper has run out");
    const paper = await otherPaper(id);
    const { printingSides } = await getShop(first.visitor, shopId);
    const ordered = (await own(id)).options[0];
    const sides = printingSides.find(({ _id }) => _id !== ordered.printingSides)?._id;
    const options = [{ paperTypes: paper._id, printingSides: sides }];
    const changes = { orderId: id, holdId, options };
    const { visitor: stranger } = await signedInStudent(store);
    expect(codeOf(await stranger.query("holds.quote", changes))).toBe("NOT_FOUND");
    const { before, after } = (await first.visitor.query("holds.quote", changes)).body.result.data;
    const lineOf = (quote: typeof after, kind: string) =>
      quote.jobs[0].lines.find((line: { kind: string }) => line.kind === kind);
    expect(lineOf(after, "paperTypes")).toMatchObject({ name: paper.name, unitPaise: paper.pricePaise });
    expect(lineOf(after, "printedColours")).toEqual(lineOf(before, "printedColours"));
    const agreed = { ...changes, expectedTotalPaise: after.totalPaise };
    expect(codeOf(await first.visitor.mutate("holds.change", agreed))).toBe("done");
    const changed = { hold: null, options: [{ ...ordered, ...options[0] }], quote: after };
    expect(await own(id)).toMatchObject(changed);
    expect(after.jobs[0].sides).not.toBe(before.jobs[0].sides);
  });

  test("of another shop, or of another list, is refused at its place", async () => {
    const { id, holdId } = await heldOrder();
    const there = await getShop(first.visitor, otherShopId);
    const here = await getShop(first.visitor, shopId);
    for (const optionId of [there.paperTypes[0]?._id, here.bindingOptions[0]?._id]) {
      const answer = await first.visitor.query("holds.quote", {
        orderId: id,
        holdId,
        options: [{ paperTypes: optionId }],
      });
      expect([codeOf(answer), answer.body.error.data.issues[0].path]).toEqual([
        "INVALID_INPUT",
        "options.0.paperTypes",
      ]);
    }
  });
});

describe("cancelling an order on hold", () => {
  test("by its student deletes the files and tells both sides that something paid is to be given back", async () => {
    const { id, holdId, fileId, student } = await heldOrder();
    await payInFull(clerk.visitor, id);
    const answer = await first.visitor.mutate("holds.cancel", { orderId: id, holdId });
    expect(codeOf(answer)).toBe("done");
    const order = await detail(id);
    expect(order).toMatchObject({ state: "cancelled", heldAt: null });
    expect(order.history.at(-1)).toMatchObject({
      state: "cancelled",
      reason: "Cancelled by the student while the order was on hold",
    });
    expect(paymentStatus(order)).toBe("refund due");
    expect((await rows(id))[0]?.how).toBe("cancelled");
    expect((await first.visitor.get(`/files/${fileId}`)).status).toBe(404);
    const { shop, number, cancelReason } = await own(id);
    expect(cancelReason).toBe("You cancelled it while it was on hold");
    const [listed] = (await first.visitor.query("orders.mine", {})).body.result.data.rows;
    expect([listed.number, listed.cancelReason]).toEqual([number, cancelReason]);
    const mail = await mailOf("order-hold-reply", shop.email, number);
    expect(mail?.subject).toBe(`Order ${number} is cancelled by the student`);
    expect(mail?.text).toContain("Cancelled by the student while the order was on hold");
    expect(mail?.text).toMatch(/Please refund ₹[\d.]+ to the student/);
    const confirmed = await mailOf("order-changed", student.email, number);
    expect(confirmed?.text).toContain(cancelReason);
    expect(confirmed?.text).toMatch(/The shop will refund you ₹[\d.]+/);
    expect(await eventsOf(id)).toEqual(["placed", "held", "paid", "moved"]);
  });

  test("while staff release and print it either cancels or prints, never both", async () => {
    for (let round = 0; round < 4; round++) {
      const { id, holdId } = await heldOrder();
      const print = async () => {
        const released = await clerk.visitor.mutate("holds.release", { orderId: id, holdId });
        if (released.status !== 200) return released;
        return clerk.visitor.mutate("board.move", { orderId: id, from: "placed", to: "printing" });
      };
      const [cancelled, printed] = await Promise.all([
        first.visitor.mutate("holds.cancel", { orderId: id, holdId }),
        print(),
      ]);
      expect([codeOf(cancelled), codeOf(printed)].sort()).toEqual(["CONFLICT", "done"]);
      expect((await detail(id)).state).toBe(codeOf(cancelled) === "done" ? "cancelled" : "printing");
    }
  });

  test("is refused without a hold", async () => {
    const { id } = await newOrder();
    const answer = await first.visitor.mutate("holds.cancel", { orderId: id, holdId: "any" });
    expect([codeOf(answer), (await detail(id)).state]).toEqual(["CONFLICT", "placed"]);
  });

  test("is refused once it is printed", async () => {
    const { id } = await newOrder();
    await moveTo(owner.visitor, id, "printed");
    await hold(id);
    const { id: holdId } = (await own(id)).hold;
    const answer = await first.visitor.mutate("holds.cancel", { orderId: id, holdId });
    expect([codeOf(answer), (await detail(id)).state]).toEqual(["CONFLICT", "printed"]);
    expect(textOf(answer)).toContain("printed already");
  });
});

test("holds are in the download of one's data, with the answer and all times", async () => {
  const { id, holdId, number } = await heldOrder();
  const times = [store.deps.now().toISOString()];
  const aMinuteLater = () => {
    store.clock.advance({ minutes: 1 });
    times.push(store.deps.now().toISOString());
  };
  aMinuteLater();
  await first.visitor.mutate("holds.answer", { orderId: id, holdId, answer: "Mine to read" });
  aMinuteLater();
  expect(codeOf(await clerk.visitor.mutate("holds.release", { orderId: id, holdId }))).toBe("done");
  const { orders } = (await first.visitor.get("/my-data")).body;
  const order = orders.find((each: { number: string }) => each.number === number);
  const [at, answeredAt, endedAt] = times;
  expect(order.holds).toEqual([
    { reason: REASON, at, answer: "Mine to read", answeredAt, endedAt, how: "released" },
  ]);
});
