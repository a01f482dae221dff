import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { deleteShortLivedMails, queueMail } from "#server/mail/mail.service.ts";
import { accountDeletedMail } from "#server/privacy/privacy.service.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, orderFor, seenByStudent } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { isSignedIn, newStudent, signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let admin: StaffPerson;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  admin = await signedInAdmin(store);
  staff = admin.visitor;
});

const deleteAccount = (visitor: ApiClient, password: string) =>
  visitor.mutate("privacy.deleteAccount", { password });

/** The whole database as text. */
async function everythingKept(): Promise<string> {
  return (await allRows())
    .map(({ text }) => text)
    .join()
    .toLowerCase();
}

async function allRows(): Promise<{ table: string; text: string }[]> {
  const { readDb } = store.deps;
  const tables = await readDb.introspection.getTables();
  const read = tables.map(async ({ name: table }) => {
    const { rows } = await sql`select * from ${sql.table(table)}`.execute(readDb);
    return rows.map((row) => ({ table, text: JSON.stringify(row) }));
  });
  return (await Promise.all(read)).flat();
}

/** The tables with rows that name this id. */
async function tablesWith(id: string): Promise<string[]> {
  const found = (await allRows()).filter(({ text }) => text.includes(`"${id}"`));
  return [...new Set(found.map(({ table }) => table))].sort();
}

/** Files that a job still looks through for colour, which changes their rows. */
async function filesToCheck() {
  const { readDb } = store.deps;
  return readDb
    .selectFrom("files")
    .select("id")
    .where("colour_checked_pages", "is", null)
    .where("deleted_at", "is", null)
    .execute();
}

/** A student with all kinds of data, with one delivered and one cancelled order. */
async function wellKnownStudent() {
  const { visitor, student } = await signedInStudent(store);
  await visitor.mutate("accounts.rename", { fullName: "Xenobia Quillfeather" });
  const order = await orderFor(visitor, { shopId });
  order.orderData.message = "Bind it in zebra green";
  const address = {
    ...ADDRESS,
    flatno: "Turret 9",
    fullname: "Xeno Q.",
    roadNo: "Violin lane",
    country: "Narnia",
  };
  const placed = await visitor.post("/api/v1/prints/printorder", { ...order, address });
  const delivered = { id: placed.body.data._id, number: placed.body.data.orderNumber };
  const { request_hash: requestHash } = await store.deps.readDb
    .selectFrom("orders")
    .select("request_hash")
    .where("id", "=", delivered.id)
    .executeTakeFirstOrThrow();
  await staff.mutate("board.note", { orderId: delivered.id, body: "Xenobia telephoned" });
  await staff.mutate("holds.hold", { orderId: delivered.id, reason: "A page is cut off" });
  const { hold } = await seenByStudent(visitor, delivered.id);
  const held = { orderId: delivered.id, holdId: hold.id };
  expectDone(await visitor.mutate("holds.answer", { ...held, answer: "Print the quokka as it is" }));
  expectDone(await staff.mutate("holds.release", held));
  await moveTo(staff, delivered.id, "delivered");
  const cancelled = await placeAnother(visitor, student, shopId);
  await staff.mutate("board.cancel", { orderId: cancelled.id, from: "placed", reason: "No toner" });
  const thesis = new Uint8Array(numberedPdf("Xylophone", 2));
  const upload = await visitor.upload(thesis, "xylophone thesis.pdf");
  await visitor.mutate("addresses.add", { address });
  await visitor.mutate("accounts.chooseMail", { kind: "delivered", wanted: false });
  const { phone: newPhone } = newStudent();
  await visitor.mutate("accounts.requestPhoneCode", { phone: newPhone });
  await store.visitor().post("/api/v1/users/fpmail", { email: student.email });
  await store.visitor().post("/api/v1/users/contactus", {
    fullName: "Xenobia",
    email: student.email,
    subject: "Yodelling",
    message: "Do you print on vellum?",
  });
  const traces = [student.email, student.phone, newPhone, "quillfeather", "xenobia", "xeno q.", "turret 9"];
  traces.push(
    "violin lane",
    "narnia",
    "zebra",
    "quokka",
    "xylophone",
    "yodelling",
    createHash("sha256").update(thesis).digest("hex"),
    // Whoever guesses the address and the message could confirm them by their hash.
    requestHash.toLowerCase(),
    "vellum",
    student.email.split("@")[0] ?? "",
  );
  return { visitor, student, delivered, cancelled, fileId: upload.body.public_id as string, traces };
}

test("deleting an account keeps its orders without personal data, and a final mail that is deleted later", async () => {
  const { visitor, student, delivered, cancelled, fileId, traces } = await wellKnownStudent();
  await staff.mutate("staff.invite", { email: student.email, role: "counter", shopIds: [shopId] });
  const userId = (await visitor.get("/api/v1/users/getuser")).body.data._id;
  const before = await everythingKept();
  expect(traces.filter((trace) => !before.includes(trace))).toEqual([]);
  const phone = await visitorAs(store, student);
  expect(await isOnDisk(store, fileId)).toBe(true);
  store.clock.advance({ seconds: 1 });

  expectDone(await deleteAccount(visitor, student.password));

  expect([await isSignedIn(visitor), await isSignedIn(phone)]).toEqual([false, false]);
  expect(visitor.cookieHeader).toBe("");
  await expect.poll(() => isOnDisk(store, fileId)).toBe(false);
  const mails = await mailsTo(store, student.email);
  expect(mails.map(({ kind }) => kind)).toEqual(["account-deleted"]);
  expect(mails[0]?.text.toLowerCase()).not.toContain("xenobia");
  expect(mails[0]?.text).toContain(`${store.url}/contact-us\n`);

  await expect.poll(async () => (await mailsTo(store, student.email))[0]?.sent_at).toBeTruthy();
  const waiting = { ...accountDeletedMail({ to: newStudent().email, contactUrl: "" }), waitMs: 172_800_000 };
  await transact(store.deps.db, (trx) => queueMail(trx, store.deps, waiting));
  store.clock.advance({ hours: 24 });
  await deleteShortLivedMails(store.deps);
  expect(await mailsTo(store, student.email)).toHaveLength(1);
  store.clock.advance({ seconds: 1 });
  await deleteShortLivedMails(store.deps);
  expect(await mailsTo(store, waiting.to)).toHaveLength(1);
  await logInAgain(admin);
  const after = await everythingKept();
  expect(traces.filter((trace) => after.includes(trace))).toEqual([]);
  expect(await tablesWith(userId)).toEqual(["files", "order_events", "orders", "users"]);

  for (const { id, number } of [delivered, cancelled]) {
    const { body } = await staff.query("board.order", { orderId: id });
    expect(body.result.data).toMatchObject({
      number,
      student: { fullName: "Deleted account", email: "", phone: "" },
      address: null,
      message: "",
      notes: [],
      pages: 3,
      copies: 2,
      files: [{ name: "Deleted file", pages: 3 }],
    });
  }
});

test("deleting an account changes nothing of another person's", async () => {
  const neighbour = await wellKnownStudent();
  const leaver = await wellKnownStudent();
  for (const { visitor, delivered } of [neighbour, leaver]) {
    const { id: photo } = expectDone(await sendPhoto(visitor, new Uint8Array(await transparentPicture())));
    expectDone(await reportError({ id: delivered.id, visitor }, [photo]));
    expectDone(await visitor.mutate("ratings.rate", { orderId: delivered.id, stars: 4 }));
  }
  const { id } = await store.deps.readDb
    .selectFrom("users")
    .select("id")
    .where("email", "=", leaver.student.email)
    .executeTakeFirstOrThrow();
  const own = [id, leaver.student.email, leaver.student.phone, leaver.delivered.id, leaver.cancelled.id];
  await expect.poll(filesToCheck).toEqual([]);
  const ofOthers = async () => {
    const rows = (await allRows()).map(({ text }) => text);
    return rows.filter((row) => !own.some((trace) => row.includes(trace)));
  };
  const before = await ofOthers();

  expectDone(await deleteAccount(leaver.visitor, leaver.student.password));

  const after = new Set(await ofOthers());
  expect(before.filter((row) => !after.has(row))).toEqual([]);
  const kept = [...after].join().toLowerCase();
  expect(neighbour.traces.filter((trace) => !kept.includes(trace))).toEqual([]);
  const found = await staff.query("board.page", { state: "all", search: neighbour.student.phone });
  expect(expectDone(found).rows).toHaveLength(2);
  expect(await isOnDisk(store, neighbour.fileId)).toBe(true);
});

test("an order placed at the same moment is refused or keeps the account", async () => {
  for (let round = 0; round < 3; round++) {
    const { visitor, student } = await signedInStudent(store);
    const order = await orderFor(visitor, { shopId });
    const [placing, deleting] = await Promise.all([
      visitor.post("/api/v1/prints/printorder", order),
      deleteAccount(visitor, student.password),
    ]);
    expect([
      [200, 409],
      [401, 200],
    ]).toContainEqual([placing.status, deleting.status]);
    const left = await store.deps.readDb
      .selectFrom("orders")
      .innerJoin("users", "users.id", "orders.user_id")
      .select("orders.id")
      .where("users.deleted_at", "is not", null)
      .where("user_email", "=", student.email)
      .execute();
    expect(left).toEqual([]);
  }
});

/** Starts calls while a transaction that deletes the account is open, ends it once they wait for it, and returns their statuses. */
async function duringDeletion(
  { email }: { email: string },
  start: () => Promise<{ status: number }>[],
): Promise<number[]> {
  const { promise: isDeleted, resolve: begin } = Promise.withResolvers<void>();
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const deleting = transact(store.deps.db, async (trx) => {
    const deleted = { deleted_at: store.deps.now().toISOString() };
    await trx.updateTable("users").set(deleted).where("email", "=", email).execute();
    begin();
    await mayCommit;
  });
  await isDeleted;
  const calls = start();
  // They have passed the check of their session by then.
  await sleep(200);
  commit();
  await deleting;
  return (await Promise.all(calls)).map(({ status }) => status);
}

test("an order that waits while its account is deleted is refused", async () => {
  const { visitor, student } = await signedInStudent(store);
  const order = await orderFor(visitor, { shopId });
  const place = () => [visitor.post("/api/v1/prints/printorder", order)];
  expect(await duringDeletion(student, place)).toEqual([401]);
});

test("no concurrent change brings a name, an address or a report back into a deleted account", async () => {
  const { visitor, student, id } = await deliveredOrder(store, staff, shopId);
  const statuses = await duringDeletion(student, () => [
    visitor.mutate("accounts.rename", { fullName: "Quentin Late" }),
    visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno: "Late 1" } }),
    visitor.mutate("reprints.report", { orderId: id, reason: "My flute lessons are blank", photos: [] }),
  ]);
  expect(statuses).toEqual([401, 401, 401]);
  const kept = await everythingKept();
  expect(["quentin", "late 1", "flute"].filter((trace) => kept.includes(trace))).toEqual([]);
});
