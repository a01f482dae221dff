import { beforeAll, describe, expect, test } from "vitest";
import { ADDRESS, orderFor, seenByStaff, seenByStudent } from "../factories/orders.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let admin: StaffPerson;
let owner: StaffPerson;
let stranger: StaffPerson;
let shopId: string;
let plainShopId: string;
let visitor: ApiClient;
let student: Student;
beforeAll(async () => {
  [plainShopId] = await shopIds(store);
  admin = await signedInAdmin(store);
  shopId = (await shownShop(admin.visitor, undefined, { offersPickup: true })).id;
  owner = await signedInOwner(store, [shopId]);
  stranger = await signedInOwner(store, [plainShopId]);
  ({ visitor, student } = await signedInStudent(store));
});

const newPickup = () => placeAnother(visitor, student, shopId, "pickup");
const handOver = (staff: StaffPerson, { id }: PlacedOrder, proof: object) =>
  staff.visitor.mutate("board.handOver", { orderId: id, proof });
const auditOf = ({ id }: PlacedOrder) =>
  store.deps.readDb
    .selectFrom("audit_log")
    .select(["action", "by_name", "after"])
    .where("subject_id", "=", id)
    .where("shop_id", "=", shopId)
    .where("action", "in", ["order.wrongCode", "order.move", "order.note"])
    .orderBy("created_at")
    .orderBy("id")
    .execute();

async function readyPickup(): Promise<{ order: PlacedOrder; code: string; wrong: string }> {
  const order = await newPickup();
  await moveTo(owner.visitor, order.id, "printed");
  const { pickupCode } = await seenByStudent(visitor, order.id);
  return { order, code: pickupCode, wrong: pickupCode === "0000" ? "0001" : "0000" };
}

describe("placing an order for pickup", () => {
  test("costs subtotal and tax, without a delivery fee, and stores no address", async () => {
    const delivered = await orderFor(visitor, { shopId, pages: 7 });
    const fetched = await orderFor(visitor, { shopId, pages: 7, fulfilment: "pickup" });
    const { subTotal, tax, deliveryFee } = delivered.orderValue;
    expect(deliveryFee).toBeGreaterThan(0);
    expect(fetched.orderValue).toEqual({
      subTotal,
      tax,
      deliveryFee: 0,
      orderTotal: Number(subTotal) + Number(tax),
    });

    const answer = await visitor.post("/api/v1/prints/printorder", { ...fetched, address: ADDRESS });

    expect([answer.status, answer.body.data.orderValue]).toEqual([200, fetched.orderValue]);
    const order = await seenByStudent(visitor, answer.body.data._id);
    expect(order).toMatchObject({ fulfilment: "pickup", address: null });
    expect(order.quote.deliveryFeePaise).toBe(0);
  });

  test("is refused at the price of a delivery, with the right figures", async () => {
    const { orderData, orderValue } = await orderFor(visitor, { shopId, pages: 7 });
    const answer = await visitor.mutate("orders.place", { orderData, orderValue, fulfilment: "pickup" });

    expect([answer.status, codeOf(answer)]).toEqual([409, "PRICE_CHANGED"]);
    expect(answer.body.error.data.details.orderValue).toMatchObject({ deliveryFee: 0 });
  });

  test("is refused at a shop that does not offer it", async () => {
    const request = await orderFor(visitor, { shopId: plainShopId, fulfilment: "pickup" });
    const { status, body } = await visitor.post("/api/v1/prints/printorder", request);

    expect([status, body.issues]).toEqual([
      422,
      [{ path: "fulfilment", message: expect.stringContaining("does not offer pickup") }],
    ]);
  });

  test("keeps an existing order as agreed when the shop stops offering it", async () => {
    const { order, code } = await readyPickup();
    const before = await seenByStudent(visitor, order.id);
    const shop = store.deps.db.updateTable("shops").where("id", "=", shopId);
    await shop.set({ offers_pickup: 0 }).execute();
    expect(await seenByStudent(visitor, order.id)).toEqual(before);
    expect((await handOver(owner, order, { by: "code", code })).status).toBe(200);
    await shop.set({ offers_pickup: 1 }).execute();
  });

  test("is a different order than the same one for delivery, under one idempotency key", async () => {
    const filesUrl = (await orderFor(visitor, { shopId })).orderData.filesUrl;
    const fetched = await orderFor(visitor, { shopId, filesUrl, fulfilment: "pickup" });
    const key = { "Idempotency-Key": `draft-${student.phone}` };
    const first = await visitor.post("/api/v1/prints/printorder", fetched, key);
    const again = await visitor.post("/api/v1/prints/printorder", fetched, key);
    const other = await visitor.post(
      "/api/v1/prints/printorder",
      { ...fetched, fulfilment: "delivery" },
      key,
    );

    expect([first.status, again.body.data._id, other.status]).toEqual([200, first.body.data._id, 409]);
  });
});

describe("the pickup code", () => {
  test("has four digits, and is shown to the student only while the order is ready for pickup", async () => {
    const order = await newPickup();
    expect((await seenByStudent(visitor, order.id)).pickupCode).toBeNull();
    await moveTo(owner.visitor, order.id, "printed");
    const { pickupCode } = await seenByStudent(visitor, order.id);
    expect(pickupCode).toMatch(/^\d{4}$/);

    await handOver(owner, order, { by: "code", code: pickupCode });
    expect(await seenByStudent(visitor, order.id)).toMatchObject({ state: "delivered", pickupCode: null });
  });

  test("may be any of ten thousand", async () => {
    for (let count = 0; count < 10; count++) await newPickup();
    const codes = await store.deps.readDb
      .selectFrom("orders")
      .select("pickup_code as code")
      .where("pickup_code", "is not", null)
      .execute();
    for (const digit of [0, 1, 2, 3])
      expect(new Set(codes.map(({ code }) => code?.[digit])).size, `digit ${digit}`).toBeGreaterThan(1);
  });

  test("is never shown to staff", async () => {
    const { order, code, wrong } = await readyPickup();
    const answers = [
      await owner.visitor.query("board.order", { orderId: order.id }),
      await owner.visitor.query("board.read", {}),
      await owner.visitor.query("board.page", {}),
    ];
    await handOver(owner, order, { by: "code", code: wrong });
    await handOver(owner, order, { by: "code", code });
    answers.push(
      await owner.visitor.query("board.order", { orderId: order.id }),
      await owner.visitor.query("board.page", { state: "all" }),
      await owner.visitor.query("audit.list", {}),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      // Also within a text of JSON, where quotes are escaped.
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`"${code}\\\\*"`));
      expect(JSON.stringify(body)).not.toContain("pickupCode");
    }
  });

  test("sent again by the one whose answer was lost hands over once, with its payment; nobody else's does", async () => {
    const { order, code } = await readyPickup();
    const payment = { method: "cash", amountPaise: 100, key: "pressed-once" };
    const end = { orderId: order.id, proof: { by: "code", code }, payment };
    const send = (staff: StaffPerson, input: object) => staff.visitor.mutate("board.handOver", input);
    expectDone(await send(owner, end));
    expect(expectDone(await send(owner, { ...end, isAgain: true }))).toEqual({
      orderId: order.id,
      state: "delivered",
    });
    const others = [
      await send(owner, end),
      await send(admin, { ...end, isAgain: true }),
      await send(owner, { ...end, isAgain: true, payment: { ...payment, method: "upi" } }),
      await send(owner, { ...end, isAgain: true, payment: { ...payment, key: "pressed-later" } }),
    ];
    expect(others.map(codeOf)).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "CONFLICT"]);
    expect((await seenByStaff(owner.visitor, order.id)).payments).toHaveLength(1);
  });

  test("hands the order over: it becomes delivered without being dispatched", async () => {
    const { order, code } = await readyPickup();
    const { status, body } = await handOver(owner, order, { by: "code", code });

    expect([status, body.result?.data]).toEqual([200, { orderId: order.id, state: "delivered" }]);
    const { history } = await seenByStaff(owner.visitor, order.id);
    expect(history.map(({ state }: { state: string }) => state)).toEqual([
      "placed",
      "printing",
      "printed",
      "delivered",
    ]);
  });

  test("may be entered wrongly five times, after which only a note helps", async () => {
    const { order, code, wrong } = await readyPickup();
    const other = await readyPickup();
    const messages = [];
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await handOver(owner, order, { by: "code", code: wrong });
      expect(codeOf(answer)).toBe(attempt < 4 ? "INVALID_INPUT" : "FORBIDDEN");
      messages.push(answer.body.error.message);
    }
    expect(messages.map((message) => message.split(". ").at(-1))).toEqual([
      "4 tries are left",
      "3 tries are left",
      "2 tries are left",
      "One try is left",
      "No more tries are left: hand the order over without the code, and say why in a note",
    ]);

    const late = await handOver(owner, order, { by: "code", code });
    expect(codeOf(late)).toBe("FORBIDDEN");
    expect((await seenByStaff(owner.visitor, order.id)).state).toBe("printed");
    const elsewhere = await handOver(owner, other.order, { by: "code", code: other.wrong });
    expect(elsewhere.body.error.message).toContain("4 tries are left");

    const proof = { by: "note", note: "Lost the phone, showed the college card" };
    expect((await handOver(owner, order, proof)).status).toBe(200);
    const { state, notes } = await seenByStaff(owner.visitor, order.id);
    expect([state, notes[0].body]).toEqual([
      "delivered",
      "Handed over without the code: Lost the phone, showed the college card",
    ]);
    const audit = await auditOf(order);
    const wrongCodes = audit.filter(({ action }) => action === "order.wrongCode");
    expect(wrongCodes.map(({ by_name, after }) => [by_name, after])).toEqual(
      [4, 3, 2, 1, 0].map((triesLeft) => [owner.person.fullName, JSON.stringify({ triesLeft })]),
    );
    expect(audit.map(({ after }) => after)).toContainEqual(
      JSON.stringify({
        state: "delivered",
        withoutCode: "Lost the phone, showed the college card",
        deletedFiles: 1,
      }),
    );
    expect(audit.filter(({ after }) => after?.includes(`"${wrong}"`))).toEqual([]);
  });

  test("works for its own order and shop only", async () => {
    const [one, two] = [await readyPickup(), await readyPickup()];
    const code = one.code === two.code ? one.wrong : one.code;
    expect(codeOf(await handOver(owner, two.order, { by: "code", code }))).toBe("INVALID_INPUT");
    for (const proof of [
      { by: "code", code: two.code },
      { by: "note", note: "Let me" },
    ]) {
      expect(codeOf(await handOver(stranger, two.order, proof))).toBe("NOT_FOUND");
    }
    expect((await handOver(owner, two.order, { by: "code", code: two.code })).status).toBe(200);
  });

  test("works while the order is still being printed, which makes it printed and handed over at once", async () => {
    const order = await newPickup();
    await moveTo(owner.visitor, order.id, "printed");
    const { pickupCode: code } = await seenByStudent(visitor, order.id);
    const wrong = code === "0000" ? "0001" : "0000";
    expectDone(
      await owner.visitor.mutate("board.move", { orderId: order.id, from: "printed", to: "printing" }),
    );
    expect(codeOf(await handOver(owner, order, { by: "code", code: wrong }))).toBe("INVALID_INPUT");
    expect(codeOf(await handOver(owner, order, { by: "name" }))).toBe("INVALID_INPUT");
    expect((await seenByStaff(owner.visitor, order.id)).state).toBe("printing");
    expectDone(await handOver(owner, order, { by: "code", code }));
    const { state, history, files } = await seenByStaff(owner.visitor, order.id);
    expect(state).toBe("delivered");
    expect(history.slice(-2).map((entry: { state: string }) => entry.state)).toEqual([
      "printed",
      "delivered",
    ]);
    expect(files).toEqual([expect.objectContaining({ deletedAt: expect.any(String) })]);
  });

  test("loses no tries when staff of another shop enter wrong codes", async () => {
    const { order, code, wrong } = await readyPickup();
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(codeOf(await handOver(stranger, order, { by: "code", code: wrong }))).toBe("NOT_FOUND");
    }
    const last = await handOver(owner, order, { by: "code", code: wrong });
    expect(last.body.error.message).toContain("4 tries are left");
    expect((await handOver(owner, order, { by: "code", code })).status).toBe(200);
  });

  test("must have four digits, and a note must not be empty", async () => {
    const { order } = await readyPickup();
    for (const proof of [
      { by: "note", note: "  " },
      { by: "code", code: "12" },
    ]) {
      expect(codeOf(await handOver(owner, order, proof))).toBe("INVALID_INPUT");
    }
  });
});

describe("moving orders", () => {
  test("never dispatches a pickup, or delivers one without its code", async () => {
    const { order } = await readyPickup();
    const move = (to: string) =>
      owner.visitor.mutate("board.move", { orderId: order.id, from: "printed", to });

    for (const to of ["dispatched", "delivered"]) {
      const answer = await move(to);
      expect([codeOf(answer), answer.body.error.message]).toEqual([
        "INVALID_INPUT",
        expect.stringContaining(order.number),
      ]);
    }
    expect((await seenByStaff(owner.visitor, order.id)).state).toBe("printed");
  });

  test("never hands over an order that is delivered or not yet printed", async () => {
    const sent = await placeAnother(visitor, student, shopId);
    await moveTo(owner.visitor, sent.id, "printed");
    expect(codeOf(await handOver(owner, sent, { by: "note", note: "At the door" }))).toBe("INVALID_INPUT");
    const early = await newPickup();
    const tooEarly = await handOver(owner, early, { by: "note", note: "At the door" });
    expect([codeOf(tooEarly), (await seenByStaff(owner.visitor, early.id)).state]).toEqual([
      "CONFLICT",
      "placed",
    ]);
  });

  test("moves the others if several are selected, and says which needs its code", async () => {
    const sent = await placeAnother(visitor, student, shopId);
    await moveTo(owner.visitor, sent.id, "dispatched");
    const { order } = await readyPickup();
    const results = expectDone(
      await owner.visitor.mutate("board.moveSeveral", {
        orders: [
          { orderId: sent.id, from: "dispatched" },
          { orderId: order.id, from: "printed" },
        ],
        to: "delivered",
      }),
    );
    expect(results).toEqual([
      { ok: true, orderId: sent.id, state: "delivered" },
      {
        ok: false,
        orderId: order.id,
        message: expect.stringContaining(`Order ${order.number} is for pickup`),
      },
    ]);
  });

  test("cancels a pickup like any other order", async () => {
    const { order } = await readyPickup();
    const input = { orderId: order.id, from: "printed", reason: "Nobody came for a month" };
    expect((await owner.visitor.mutate("board.cancel", input)).status).toBe(200);
    expect(await seenByStudent(visitor, order.id)).toMatchObject({ state: "cancelled", pickupCode: null });
  });
});
