import { sql } from "kysely";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { deletePrintedFiles } from "#server/orders/board/moves.service.ts";
import { mailsTo } from "../factories/mails.ts";
import { seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import { codeAt, removeHours, visitorAt } from "../factories/visits.ts";
import { followUp } from "../setup/follow-up.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, tempStore, testStore } from "../setup/test-store.ts";

// A print can be undone while its files exist: for half an hour, unless the order leaves the shop.

const GRACE = { minutes: 30 };
const MAIL_WAIT = { seconds: 90 };

const store = testStore();
let shopId: string;
let owner: StaffPerson;
beforeAll(async () => {
  shopId = (await shownShop((await signedInAdmin(store)).visitor, undefined, { offersPickup: true })).id;
  owner = await signedInOwner(store, [shopId]);
});

const move = (orderId: string, from: string, to: string) =>
  owner.visitor.mutate("board.move", { orderId, from, to });
const undo = ({ id }: PlacedOrder) => move(id, "printed", "printing");
const detailOf = ({ id }: PlacedOrder) => seenByStaff(owner.visitor, id);
const statusOfFile = async ({ fileId }: PlacedOrder) => (await owner.visitor.get(`/files/${fileId}`)).status;

async function printed(): Promise<PlacedOrder> {
  const order = await placeOrder(store, shopId);
  await moveTo(owner.visitor, order.id, "printed");
  return order;
}

async function printedForPickup(): Promise<PlacedOrder> {
  const { visitor, student } = await signedInStudent(store);
  const order = await placeAnother(visitor, student, shopId, "pickup");
  await moveTo(owner.visitor, order.id, "printed");
  return order;
}

/** The kinds of the sent mails about the order, oldest first. */
async function sentMails({ number, student }: PlacedOrder): Promise<string[]> {
  await followUp(store, "sendMails");
  // Once a mail that is due now was sent, the worker has checked the outbox.
  const witness = newStudent();
  await register(store.visitor(), witness);
  await expect
    .poll(async () => (await mailsTo(store, witness.email)).map(({ sent_at }) => Boolean(sent_at)))
    .toEqual([true]);
  return (await mailsTo(store, student.email))
    .filter(({ subject, sent_at }) => subject.includes(number) && sent_at)
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .map(({ kind }) => kind);
}

test("an order marked as printed by mistake goes back to printing, with its files", async () => {
  const order = await printed();
  expect(await statusOfFile(order)).toBe(200);
  expect((await owner.visitor.get(`/admin/orders/${order.id}/pack.pdf`)).status).toBe(200);

  expect(expectDone(await undo(order))).toEqual({ orderId: order.id, state: "printing" });

  expect(await detailOf(order)).toMatchObject({ state: "printing", filesDeleteAt: null });
  store.clock.advance(GRACE);
  await deletePrintedFiles(store.deps);
  expect(await statusOfFile(order)).toBe(200);
});

test("shop and student see when the files will be and were deleted, after which it cannot go back", async () => {
  const order = await placeOrder(store, shopId);
  await moveTo(owner.visitor, order.id, "printing");
  const answer = expectDone(await move(order.id, "printing", "printed"));
  const deleteAt = new Date(store.clock.now().getTime() + 30 * 60_000).toISOString();
  expect(answer).toEqual({ orderId: order.id, state: "printed", filesDeleteAt: deleteAt });
  expect(await detailOf(order)).toMatchObject({ filesDeleteAt: deleteAt, files: [{ deletedAt: null }] });
  expect((await seenByStudent(order.visitor, order.id)).fileStatus).toEqual({
    count: 1,
    status: "kept",
    deleteAt,
  });
  const list = expectDone(await order.visitor.query("orders.mine", {}));
  expect(list.rows[0].files).toEqual({ count: 1, status: "kept", deleteAt });
  const table = expectDone(await owner.visitor.query("board.page", { search: order.number }));
  expect(table.rows).toMatchObject([{ id: order.id, filesDeleteAt: deleteAt }]);

  store.clock.advance({ minutes: 30, ms: -1 });
  await deletePrintedFiles(store.deps);
  expect(await statusOfFile(order)).toBe(200);
  store.clock.advance({ ms: 1 });
  await deletePrintedFiles(store.deps);

  expect(await statusOfFile(order)).toBe(404);
  await expect.poll(() => isOnDisk(store, order.fileId)).toBe(false);
  await expect
    .poll(async () => (await detailOf(order)).files)
    .toMatchObject([{ deletedAt: deleteAt, deletedBy: null, erasedAt: deleteAt }]);
  expect((await seenByStudent(order.visitor, order.id)).fileStatus).toEqual({
    count: 1,
    status: "deleted",
    at: deleteAt,
  });
  const late = await undo(order);
  expect([late.status, codeOf(late), late.body.error.message]).toEqual([
    404,
    "GONE",
    `The files of order ${order.number} have been deleted: it cannot be printed again`,
  ]);
  expect(await detailOf(order)).toMatchObject({ state: "printed", filesDeleteAt: null });
});

test("after the grace period it cannot go back, even if the files are not yet deleted", async () => {
  const order = await printed();
  store.clock.advance(GRACE);
  expect(codeOf(await undo(order))).toBe("GONE");
});

test("the files are deleted at once when the prints leave the shop", async () => {
  const sent = await printed();
  expectDone(await move(sent.id, "printed", "dispatched"));
  const fetched = await printedForPickup();
  const proof = { by: "code", code: (await seenByStudent(fetched.visitor, fetched.id)).pickupCode };
  expectDone(await owner.visitor.mutate("board.handOver", { orderId: fetched.id, proof }));
  const cancelled = await printed();
  const reason = "Never fetched";
  expectDone(await owner.visitor.mutate("board.cancel", { orderId: cancelled.id, from: "printed", reason }));
  for (const order of [sent, fetched, cancelled]) {
    expect(await statusOfFile(order)).toBe(404);
    expect(await detailOf(order)).toMatchObject({
      filesDeleteAt: null,
      files: [{ deletedBy: owner.person.fullName }],
    });
  }
});

test("undoing leaves correct history, board, stats, search and audit log", async () => {
  const order = await placeOrder(store, shopId);
  const figures = async () =>
    expectDone(await owner.visitor.query("stats.read", { from: today(), until: today(), shopId })).total;
  const before = await figures();
  await moveTo(owner.visitor, order.id, "printed");
  expectDone(await undo(order));
  const again = await signedInOwner(store, [shopId]);
  const printed = { orderId: order.id, from: "printing", to: "printed" };
  expectDone(await again.visitor.mutate("board.move", printed));

  const way = ["placed", "printing", "printed", "printing", "printed"];
  const states = (entries: { state: string }[]) => entries.map(({ state }) => state);
  expect(states((await detailOf(order)).history)).toEqual(way);
  expect(states((await seenByStudent(order.visitor, order.id)).reached)).toEqual(way);
  expect(await figures()).toEqual(before);
  const board = expectDone(await owner.visitor.query("board.read", { shopId }));
  const columns = board.columns.filter(({ cards }: { cards: { id: string }[] }) =>
    cards.some(({ id }) => id === order.id),
  );
  expect(columns).toMatchObject([{ state: "printed" }]);
  const found = expectDone(
    await owner.visitor.query("board.page", { search: order.number, state: "printed" }),
  );
  expect(found.rows).toHaveLength(1);
  const log = await store.deps.readDb
    .selectFrom("live_events")
    .select("state")
    .where("order_id", "=", order.id)
    .orderBy("seq")
    .execute();
  expect(states(log)).toEqual(way);
  const audit = await store.deps.readDb
    .selectFrom("audit_log")
    .select(["before", "after"])
    .where("subject_id", "=", order.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  expect(
    audit.map(({ before, after }) => [before, after].map((json) => JSON.parse(json ?? "{}").state)),
  ).toEqual(way.slice(1).map((state, index) => [way[index], state]));
  const late = await move(order.id, "printing", "printed");
  expect([codeOf(late), late.body.error.message]).toEqual([
    "CONFLICT",
    `${again.person.fullName} has already marked order ${order.number} as printed`,
  ]);
});

function today(): string {
  return store.clock.now().toISOString().slice(0, 10);
}

test("several orders are undone at once, each with its own result", async () => {
  const [first, second, sent] = [await printed(), await printed(), await printed()];
  expectDone(await move(sent.id, "printed", "dispatched"));
  const orders = [first, second, sent].map(({ id }) => ({ orderId: id, from: "printed" }));
  const results = expectDone(await owner.visitor.mutate("board.moveSeveral", { orders, to: "printing" }));
  expect(results.map(({ ok }: { ok: boolean }) => ok)).toEqual([true, true, false]);
});

test("the student is not mailed about a print undone before its mail left, and once when it is final", async () => {
  const order = await printedForPickup();
  expect((await seenByStudent(order.visitor, order.id)).pickupCode).toMatch(/^\d{4}$/);
  expect(await sentMails(order)).toEqual(["order-student"]);
  expectDone(await undo(order));
  store.clock.advance(MAIL_WAIT);
  expect(await sentMails(order)).toEqual(["order-student"]);

  expectDone(await move(order.id, "printing", "printed"));
  store.clock.advance({ ...MAIL_WAIT, ms: -1 });
  expect(await sentMails(order)).toEqual(["order-student"]);
  store.clock.advance({ ms: 1 });
  expect(await sentMails(order)).toEqual(["order-student", "order-ready"]);
});

test("undoing one print does not touch the mail of another order", async () => {
  const [undone, ready] = [await printedForPickup(), await printedForPickup()];
  expectDone(await undo(undone));
  store.clock.advance(MAIL_WAIT);
  expect(await sentMails(ready)).toEqual(["order-student", "order-ready"]);
  expect(await sentMails(undone)).toEqual(["order-student"]);
  expectDone(await undo(ready));
  expect(await sentMails(ready)).toEqual(["order-student", "order-ready", "order-not-ready"]);
});

test("a student who was mailed is told of the delay, and again when it is ready", async () => {
  const order = await printedForPickup();
  store.clock.advance(MAIL_WAIT);
  expect(await sentMails(order)).toEqual(["order-student", "order-ready"]);
  expectDone(await undo(order));
  expectDone(await move(order.id, "printing", "printed"));
  store.clock.advance(MAIL_WAIT);
  expect(await sentMails(order)).toEqual(["order-student", "order-ready", "order-not-ready", "order-ready"]);
  const note = (await mailsTo(store, order.student.email)).find(({ kind }) => kind === "order-not-ready");
  expect(note?.subject).toBe(`Order ${order.number} is not ready yet`);
  expect(note?.text).toContain("has to print your order again");
});

test("a student who collects the prints at once gets no mail that they are ready", async () => {
  const order = await printedForPickup();
  const proof = { by: "note", note: "Stood at the counter" };
  expectDone(await owner.visitor.mutate("board.handOver", { orderId: order.id, proof }));
  store.clock.advance(MAIL_WAIT);
  expect(await sentMails(order)).toEqual(["order-student", "order-delivered"]);
});

test("a mail being sent counts as sent", async () => {
  const order = await printedForPickup();
  const later = new Date(store.clock.now().getTime() + 60 * 60 * 1000).toISOString();
  await store.deps.db
    .updateTable("outbox")
    .set({ leased_until: later })
    .where("kind", "=", "order-ready")
    .where("recipient", "=", order.student.email)
    .execute();
  expectDone(await undo(order));
  const kinds = (await mailsTo(store, order.student.email)).map(({ kind }) => kind);
  expect(kinds).toEqual(expect.arrayContaining(["order-ready", "order-not-ready"]));
});

test("a failed mail is deleted with the undo, so that nobody can send it again", async () => {
  const order = await printedForPickup();
  const ready = (await mailsTo(store, order.student.email)).find(({ kind }) => kind === "order-ready");
  const failed = { failed_at: store.clock.now().toISOString(), last_error: "550" };
  await store.deps.db
    .updateTable("outbox")
    .set(failed)
    .where("id", "=", ready?.id ?? "")
    .execute();
  expectDone(await undo(order));
  const admin = await signedInAdmin(store);
  expect(codeOf(await admin.visitor.mutate("mail.resend", { id: ready?.id }))).toBe("NOT_FOUND");
  const kinds = (await mailsTo(store, order.student.email)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind.startsWith("order-"))).toEqual(["order-student"]);
});

test("an undo at the end of the grace period never leaves an order in printing without files", async () => {
  for (let round = 0; round < 10; round++) {
    const order = await printed();
    store.clock.advance({ minutes: 29, seconds: 59 });
    const taken = undo(order);
    store.clock.advance({ seconds: 1 });
    const [answer] = await Promise.all([
      taken,
      deletePrintedFiles(store.deps),
      deletePrintedFiles(store.deps),
    ]);
    const { state, files } = await detailOf(order);
    expect([answer.status, state, files[0].deletedAt === null]).toEqual(
      answer.status === 200 ? [200, "printing", true] : [404, "printed", false],
    );
    const log = await store.deps.readDb
      .selectFrom("live_events")
      .select("kind")
      .where("order_id", "=", order.id)
      .where("kind", "=", "files")
      .execute();
    expect(log).toHaveLength(answer.status === 200 ? 0 : 1);
  }
});

test("an order that is given more time once the job has found it keeps its files", async () => {
  const order = await printed();
  const looks = [new Date(store.deps.now().getTime() + 30 * 60_000)];
  await deletePrintedFiles({ ...store.deps, now: () => looks.pop() ?? store.deps.now() });
  expect(await statusOfFile(order)).toBe(200);
});

test("an order whose files cannot be deleted keeps those of no other, and is tried again", async () => {
  const { db, log } = store.deps;
  // The store's own job may find it too.
  const logged = vi.spyOn(log, "error").mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const [stuck, other] = [await printed(), await printed()];
  store.clock.advance(GRACE);
  await sql`create trigger cannot_end before update on orders when old.id = ${sql.lit(stuck.id)}
    begin select raise(abort, 'not this one'); end`.execute(db);
  await expect(deletePrintedFiles(store.deps)).rejects.toThrow("not this one");
  expect([await statusOfFile(stuck), await statusOfFile(other)]).toEqual([200, 404]);
  await sql`drop trigger cannot_end`.execute(db);
  await deletePrintedFiles(store.deps);
  expect(await statusOfFile(stuck)).toBe(404);
});

test("with a grace period of 0 the files are deleted at once, and nothing can be undone", async () => {
  const hasty = await tempStore({ PRINT_GRACE_MINUTES: "0" });
  const admin = await signedInAdmin(hasty);
  const order = await placeOrder(hasty, (await shopIds(hasty))[0]);
  await moveTo(admin.visitor, order.id, "printed");
  expect((await admin.visitor.get(`/files/${order.fileId}`)).status).toBe(404);
  const back = { orderId: order.id, from: "printed", to: "printing" };
  expect(codeOf(await admin.visitor.mutate("board.move", back))).toBe("GONE");
});

test("a grace period that ended while the server was down ends at its start", async () => {
  const env = { DATA_DIR: await tempFolder() };
  const before = await startTestStore(env);
  const admin = await signedInAdmin(before);
  const order = await placeOrder(before, (await shopIds(before))[0]);
  await moveTo(admin.visitor, order.id, "printed");
  await before.stop();
  before.clock.advance(GRACE);

  const after = await tempStore(env, undefined, before.clock);
  await expect.poll(() => isOnDisk(after, order.fileId)).toBe(false);
});

test("a grace period and a visit at a counter end by themselves, within twenty seconds", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const own = await tempStore();
  const [shop = ""] = await shopIds(own);
  await removeHours(own, shop);
  const code = await codeAt((await signedInAdmin(own)).visitor, shop);
  const phone = await visitorAt(own, shop, code);
  const visitorsFile = (await uploadPages(phone, 1)).split("/").at(-1) ?? "";
  own.clock.advance({ minutes: 90 });
  const order = await placeOrder(own, shop);
  await moveTo((await signedInAdmin(own)).visitor, order.id, "printed");
  own.clock.advance(GRACE);
  // The first that the job does is to ask for the time.
  const asked = vi.spyOn(own.deps, "now");
  vi.advanceTimersByTime(19_999);
  expect(asked).not.toHaveBeenCalled();
  const left = () => Promise.all([order.fileId, visitorsFile].map((id) => isOnDisk(own, id)));
  expect(await left()).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect(asked).toHaveBeenCalled();
  await expect.poll(left).toEqual([false, false]);
});

test("staff of another shop cannot undo", async () => {
  const order = await printed();
  const [other] = await shopIds(store);
  const stranger = await signedInOwner(store, [other]);
  const back = { orderId: order.id, from: "printed", to: "printing" };
  expect(codeOf(await stranger.visitor.mutate("board.move", back))).toBe("NOT_FOUND");
  expect((await detailOf(order)).state).toBe("printed");
});
