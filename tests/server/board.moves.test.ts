import { beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { getShop, seenByStaff } from "../factories/orders.ts";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import {
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { refusalsOf } from "../factories/together.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let otherShopId: string;
let owner: StaffPerson;
let stranger: StaffPerson;
let student: PlacedOrder;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
  stranger = await signedInOwner(store, [otherShopId]);
  student = await placeOrder(store, shopId);
});

const newOrder = () => placeAnother(student.visitor, student.student, shopId);
const detailOf = (orderId: string) => seenByStaff(owner.visitor, orderId);

describe("moving an order on", () => {
  test("takes it from placed to delivered, and records who did each step and when", async () => {
    const { id: orderId } = await newOrder();
    store.clock.advance({ minutes: 5 });
    await moveTo(owner.visitor, orderId, "delivered");

    const { state, history, student: orderedBy } = await detailOf(orderId);
    const { fullName, email, phone } = student.student;
    expect(orderedBy).toEqual({ fullName, email, phone });
    const at = store.deps.now().toISOString();
    const by = owner.person.fullName;
    expect(state).toBe("delivered");
    expect(history).toEqual([
      expect.objectContaining({ state: "placed", by: student.student.fullName }),
      { state: "printing", by, at, reason: null },
      { state: "printed", by, at, reason: null },
      { state: "dispatched", by, at, reason: null },
      { state: "delivered", by, at, reason: null },
    ]);
    expect(history[0].at < at).toBe(true);
  });

  test("succeeds for one of two people at the same moment, and tells the other who was first", async () => {
    const admin = await signedInAdmin(store);
    for (let round = 0; round < 5; round++) {
      const { id: orderId, number } = await newOrder();
      const move = { orderId, from: "placed", to: "printing" };
      const answers = await Promise.all([
        owner.visitor.mutate("board.move", move),
        admin.visitor.mutate("board.move", move),
      ]);

      const lost = answers.filter(({ status }) => status === 409);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = lost[0] === answers[0] ? admin : owner;
      expect(lost[0]?.body.error.message).toBe(
        `${winner.person.fullName} has already marked order ${number} as printing`,
      );
      expect(lost[0]?.body.error.data.details).toMatchObject({
        state: "printing",
        by: winner.person.fullName,
      });
      expect((await detailOf(orderId)).history).toHaveLength(2);
    }
  });

  test("refuses a move from a state the order has left, and changes nothing", async () => {
    const { id: orderId } = await newOrder();
    await moveTo(owner.visitor, orderId, "printed");

    const late = await owner.visitor.mutate("board.move", { orderId, from: "placed", to: "printing" });

    expect(codeOf(late)).toBe("CONFLICT");
    expect(late.body.error.message).toContain(`${owner.person.fullName} has already marked order `);
    expect((await detailOf(orderId)).state).toBe("printed");
  });

  test("sent again by the one whose answer was lost is made once, and answered as made; nobody else's is", async () => {
    const { id: orderId, number } = await newOrder();
    const admin = await signedInAdmin(store);
    const start = { orderId, from: "placed", to: "printing", isAgain: true };
    expect((await owner.visitor.mutate("board.move", start)).status).toBe(200);
    const again = await owner.visitor.mutate("board.move", start);
    expect([again.status, again.body.result?.data]).toEqual([200, { orderId, state: "printing" }]);
    expect(codeOf(await admin.visitor.mutate("board.move", start))).toBe("CONFLICT");
    // The first one may still be under way.
    const atOnce = { ...start, orderId: (await newOrder()).id };
    const answers = await Promise.all([0, 1, 2].map(() => owner.visitor.mutate("board.move", atOnce)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);

    const orders = [{ orderId, from: "printing" }];
    await owner.visitor.mutate("board.moveSeveral", { orders, to: "printed" });
    const several = (visitor: typeof owner.visitor, isAgain: boolean) =>
      visitor.mutate("board.moveSeveral", { orders, to: "printed", isAgain });
    const filesDeleteAt = expect.any(String);
    expect((await several(owner.visitor, true)).body.result.data).toEqual([
      { ok: true, orderId, state: "printed", filesDeleteAt },
    ]);
    const message = `${owner.person.fullName} has already marked order ${number} as printed`;
    for (const [{ visitor }, isAgain] of [
      [owner, false],
      [admin, true],
    ] as const)
      expect((await several(visitor, isAgain)).body.result.data).toEqual([{ ok: false, orderId, message }]);
    expect((await detailOf(orderId)).history).toHaveLength(3);
  });

  test.each([
    ["placed", "printed"],
    ["placed", "delivered"],
    ["printed", "placed"],
    ["delivered", "printing"],
    ["cancelled", "placed"],
    ["placed", "placed"],
    ["placed", "cancelled"],
  ])("refuses to move from %s to %s", async (from, to) => {
    const { id: orderId } = await newOrder();
    const answer = await owner.visitor.mutate("board.move", { orderId, from, to });
    expect(codeOf(answer)).toBe("INVALID_INPUT");
    expect((await detailOf(orderId)).state).toBe("placed");
  });

  test("takes one that was moved to printing by mistake back to the others, without a word to the student", async () => {
    const order = await newOrder();
    await moveTo(owner.visitor, order.id, "printing");
    const mails = async () => (await mailsTo(store, student.student.email)).length;
    const before = await mails();
    const back = { orderId: order.id, from: "printing", to: "placed" };
    expect((await owner.visitor.mutate("board.move", back)).status).toBe(200);

    const { state, history } = await detailOf(order.id);
    expect(state).toBe("placed");
    expect(history.map(({ state }: { state: string }) => state)).toEqual(["placed", "printing", "placed"]);
    expect((await owner.visitor.get(`/files/${order.fileId}`)).status).toBe(200);
    expect(await mails()).toBe(before);
    await moveTo(owner.visitor, order.id, "delivered");
  });

  test("moves several at once and reports the result for each", async () => {
    const [first, taken, third] = [await newOrder(), await newOrder(), await newOrder()];
    const elsewhere = await placeAnother(student.visitor, student.student, otherShopId);
    await moveTo(owner.visitor, taken.id, "printing");

    const orders = [first, taken, third, elsewhere].map(({ id }) => ({ orderId: id, from: "placed" }));
    const { body } = await owner.visitor.mutate("board.moveSeveral", { orders, to: "printing" });

    expect(body.result.data).toEqual([
      { ok: true, orderId: first.id, state: "printing" },
      { ok: false, orderId: taken.id, message: expect.stringContaining("has already marked") },
      { ok: true, orderId: third.id, state: "printing" },
      { ok: false, orderId: elsewhere.id, message: "This order was not found" },
    ]);
    expect((await detailOf(third.id)).state).toBe("printing");
  });
});

describe("cancelling", () => {
  test("mails the reason to the student, deletes the files and records the reason", async () => {
    const order = await newOrder();
    const answer = await owner.visitor.mutate("board.cancel", {
      orderId: order.id,
      from: "placed",
      reason: "The file is <b>blank</b> from page 2 on",
    });
    expect(answer.status).toBe(200);

    const mails = await mailsTo(store, student.student.email);
    const mail = mails.find(
      ({ kind, subject }) => kind === "order-cancelled" && subject.includes(order.number),
    );
    expect(mail?.text).toContain("The file is <b>blank</b> from page 2 on");
    expect(mail?.html).not.toContain("<b>blank</b>");
    const shop = await getShop(store.visitor(), shopId);
    expect(mail?.reply_to).toBe(shop.email);
    expect(mail?.text).toContain(`${shop.shopName} has cancelled your order`);
    const { state, history, files } = await detailOf(order.id);
    expect([state, history.at(-1).reason]).toEqual(["cancelled", "The file is <b>blank</b> from page 2 on"]);
    expect(files[0]).toMatchObject({
      deletedAt: store.deps.now().toISOString(),
      deletedBy: owner.person.fullName,
    });
  });

  test("requires a reason", async () => {
    const { id: orderId } = await newOrder();
    const answer = await owner.visitor.mutate("board.cancel", { orderId, from: "placed", reason: "  " });
    expect([codeOf(answer), answer.body.error.message]).toEqual(["INVALID_INPUT", "A reason is required"]);
  });

  test("sends one mail if two people cancel at the same moment", async () => {
    const order = await newOrder();
    const cancel = { orderId: order.id, from: "placed", reason: "Closed" };
    const answers = await Promise.all([1, 2].map(() => owner.visitor.mutate("board.cancel", cancel)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(refusalsOf(answers)).toEqual([
      expect.stringMatching(/ has already marked order .* as cancelled$/),
    ]);
    const mails = await mailsTo(store, student.student.email);
    expect(mails.filter(({ subject }) => subject === `Order ${order.number} is cancelled`)).toHaveLength(1);
  });

  test("sent again by the one whose answer was lost is answered as made; nobody else's is, nor one for another reason", async () => {
    const { id: orderId, number } = await newOrder();
    const admin = await signedInAdmin(store);
    const cancel = { orderId, from: "placed", reason: "Page 3 is missing", isAgain: true };
    expect((await owner.visitor.mutate("board.cancel", cancel)).status).toBe(200);
    const again = await owner.visitor.mutate("board.cancel", cancel);
    expect([again.status, again.body.result?.data]).toEqual([200, { orderId, state: "cancelled" }]);
    const message = `${owner.person.fullName} has already marked order ${number} as cancelled`;
    for (const [{ visitor }, other] of [
      [owner, { isAgain: false }],
      [owner, { reason: "The shop is closed" }],
      [admin, {}],
    ] as const) {
      const answer = await visitor.mutate("board.cancel", { ...cancel, ...other });
      expect([answer.status, answer.body.error?.message]).toEqual([409, message]);
    }
    expect((await detailOf(orderId)).history).toHaveLength(2);
  });

  test("ends an order whose parcel came back, but none that was delivered", async () => {
    const [returned, taken] = [await newOrder(), await newOrder()];
    await moveTo(owner.visitor, returned.id, "dispatched");
    await moveTo(owner.visitor, taken.id, "delivered");
    const cancel = (orderId: string, from: string) =>
      owner.visitor.mutate("board.cancel", { orderId, from, reason: "Nobody took the parcel" });
    expectDone(await cancel(returned.id, "dispatched"));
    expect(codeOf(await cancel(taken.id, "delivered"))).toBe("INVALID_INPUT");
    expect(codeOf(await cancel(taken.id, "dispatched"))).toBe("CONFLICT");
    const [back, kept] = [await detailOf(returned.id), await detailOf(taken.id)];
    expect([back.state, back.history.at(-1).reason]).toEqual(["cancelled", "Nobody took the parcel"]);
    expect(kept.state).toBe("delivered");
  });
});

describe("an order of another shop", () => {
  test.each([
    ["board.order", {}],
    ["board.move", { from: "placed", to: "printing" }],
    ["board.cancel", { from: "placed", reason: "Because" }],
    ["board.note", { body: "Hello" }],
  ] as const)("is not found for %s", async (procedure, input) => {
    const { id: orderId } = await newOrder();
    const call = procedure === "board.order" ? "query" : "mutate";
    const answer = await stranger.visitor[call](procedure, { orderId, ...input });
    expect([codeOf(answer), answer.body.error.message]).toEqual(["NOT_FOUND", "This order was not found"]);
    const { state, notes } = await detailOf(orderId);
    expect([state, notes]).toEqual(["placed", []]);
  });
});

test("notes are stored with their author, newest first", async () => {
  const { id: orderId } = await newOrder();
  const other = await newOrder();
  await owner.visitor.mutate("board.note", { orderId: other.id, body: "Of another order" });
  await owner.visitor.mutate("board.note", { orderId, body: "Asked about the cover" });
  store.clock.advance({ minutes: 1 });
  await owner.visitor.mutate("board.note", { orderId, body: "Blue it is" });

  const { notes } = await detailOf(orderId);
  const by = owner.person.fullName;
  expect(notes).toMatchObject([
    { body: "Blue it is", by, at: store.deps.now().toISOString() },
    { body: "Asked about the cover", by },
  ]);
});

test("a note that is sent again because its answer was lost is stored once, and the same text later once more", async () => {
  const { id: orderId } = await newOrder();
  const write = async (key: string) =>
    expectDone(await owner.visitor.mutate("board.note", { orderId, body: "Called, no answer", key }));
  for (const key of ["first-call", "first-call", "second-call"]) await write(key);
  expect((await detailOf(orderId)).notes).toHaveLength(2);
  const logged = await store.deps.readDb
    .selectFrom("audit_log")
    .select("id")
    .where("subject_id", "=", orderId)
    .where("action", "=", "order.note")
    .execute();
  expect(logged).toHaveLength(2);
});

test("a note under the key of another note is refused, never reported as saved", async () => {
  const { id: orderId } = await newOrder();
  const other = await newOrder();
  const colleague = await signedInCounter(store, [shopId]);
  const note = { orderId, body: "Called, no answer", key: "taken-key" };
  expectDone(await owner.visitor.mutate("board.note", note));
  for (const [name, by, changed] of [
    ["of another order", owner, { orderId: other.id }],
    ["of another person", colleague, {}],
    ["with another text", owner, { body: "Called again" }],
  ] as const) {
    const answer = await by.visitor.mutate("board.note", { ...note, ...changed });
    expect([name, answer.status, codeOf(answer)]).toEqual([name, 409, "CONFLICT"]);
  }
  expect((await detailOf(orderId)).notes).toMatchObject([{ body: "Called, no answer" }]);
  expect((await detailOf(other.id)).notes).toEqual([]);
});

test("every move is written to the audit log, with the state before and after", async () => {
  const order = await newOrder();
  await moveTo(owner.visitor, order.id, "printed");
  const { filesDeleteAt } = await detailOf(order.id);
  await owner.visitor.mutate("board.note", { orderId: order.id, body: "Ready at the counter" });
  await owner.visitor.mutate("board.cancel", { orderId: order.id, from: "printed", reason: "Never fetched" });

  const entries = await store.deps.readDb
    .selectFrom("audit_log")
    .select(["action", "before", "after", "by_user_id", "shop_id", "subject_name"])
    .where("subject_id", "=", order.id)
    .orderBy("created_at")
    .execute();
  const common = { by_user_id: owner.userId, shop_id: shopId, subject_name: order.number };
  expect(entries).toHaveLength(4);
  expect(entries).toEqual(
    expect.arrayContaining([
      { ...common, action: "order.move", before: '{"state":"placed"}', after: '{"state":"printing"}' },
      {
        ...common,
        action: "order.move",
        before: '{"state":"printing"}',
        after: JSON.stringify({ state: "printed", filesDeleteAt }),
      },
      { ...common, action: "order.note", before: null, after: null },
      {
        ...common,
        action: "order.cancel",
        before: '{"state":"printed"}',
        after: '{"state":"cancelled","reason":"Never fetched","deletedFiles":1}',
      },
    ]),
  );
});
