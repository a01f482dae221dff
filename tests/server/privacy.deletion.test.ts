import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { deleteForgottenCaptures, deleteShortLivedMails, queueMail } from "#server/mail/mail.service.ts";
import { listCaptured } from "#server/mail/transport.ts";
import { accountDeletedMail } from "#server/privacy/privacy.service.ts";
import { OPEN_STATES } from "#shared/order-states.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, orderFor } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
let shopId: string;
let admin: StaffPerson;
let staff: ApiClient;
beforeAll(async () => {
  store = await startTestStore();
  [shopId] = await shopIds(store);
  admin = await signedInAdmin(store);
  staff = admin.visitor;
});
afterAll(() => store.stop());
// Some tests wait for days, longer than sessions of staff last.
beforeEach(() => logInAgain(admin));

async function deleteAccount(visitor: ApiClient, password: string) {
  const { status, body } = await visitor.mutate("privacy.deleteAccount", { password });
  return { status, message: body.error?.message, code: body.error?.data.appCode };
}

async function isSignedIn(visitor: ApiClient): Promise<boolean> {
  return (await visitor.get("/api/v1/users/getuser")).status === 200;
}

/** The whole database and the captured mails as text. */
async function everythingKept(): Promise<string> {
  const captured = await listCaptured(join(store.dataDir, IN_DATA_DIR.mail));
  const mails = captured.map(({ path }) => readFile(path, "utf8"));
  const rows = (await allRows()).map(({ text }) => text);
  return [...rows, ...(await Promise.all(mails))].join().toLowerCase();
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
  const { hold } = expectDone(await visitor.query("orders.one", { orderId: delivered.id }));
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
  const phone = store.visitor();
  await phone.post("/api/v1/users/login", student);
  expect(await isOnDisk(store, fileId)).toBe(true);
  store.clock.advance({ seconds: 1 });

  expect(await deleteAccount(visitor, student.password)).toMatchObject({ status: 200 });

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
  await deleteForgottenCaptures(store.deps);
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

test("somebody who was on the staff takes their second factors with them", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { db, readDb } = store.deps;
  const { id: user_id } = await readDb
    .selectFrom("users")
    .select("id")
    .where("email", "=", student.email)
    .executeTakeFirstOrThrow();
  const created_at = store.deps.now().toISOString();
  await db
    .insertInto("totp_secrets")
    .values({ user_id, secret: "sealed", last_step: 0, created_at })
    .execute();
  await db.insertInto("recovery_codes").values({ user_id, code_hash: "hash" }).execute();
  const passkey = { id: "key", user_id, name: "Phone", public_key: "", counter: "0", transports: "[]" };
  await db
    .insertInto("passkeys")
    .values({ ...passkey, created_at, last_used_at: null })
    .execute();
  expect(await deleteAccount(visitor, student.password)).toMatchObject({ status: 200 });
  for (const table of ["totp_secrets", "recovery_codes", "passkeys"] as const)
    expect(await readDb.selectFrom(table).selectAll().where("user_id", "=", user_id).execute()).toEqual([]);
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

  expect(await deleteAccount(leaver.visitor, leaver.student.password)).toMatchObject({ status: 200 });

  const after = new Set(await ofOthers());
  expect(before.filter((row) => !after.has(row))).toEqual([]);
  const kept = [...after].join().toLowerCase();
  expect(neighbour.traces.filter((trace) => !kept.includes(trace))).toEqual([]);
  const found = await staff.query("board.page", { state: "all", search: neighbour.student.phone });
  expect(expectDone(found).rows).toHaveLength(2);
  expect(await isOnDisk(store, neighbour.fileId)).toBe(true);
});

test("somebody whose address is also that of a shop neither downloads, takes along nor deletes the mails of its orders", async () => {
  const { visitor, student: formerOwner } = await signedInStudent(store);
  const shop = await shownShop(staff, undefined, { email: formerOwner.email });
  const { visitor: neighbour, student } = await signedInStudent(store);
  const { number } = await placeAnother(neighbour, student, shop.id);
  const kept = async () => [
    ...(await mailsTo(store, formerOwner.email)).map(({ kind }) => kind),
    ...(await mailsTo(store, student.email)).map(({ kind, reply_to }) => [kind, reply_to]),
  ];
  const mails = ["order-shop", ["order-student", formerOwner.email]];
  expect(await kept()).toEqual(mails);
  expect(JSON.stringify((await visitor.get("/my-data")).body)).not.toContain(number);

  const { email } = newStudent();
  await visitor.mutate("accounts.requestEmailCode", { email, password: formerOwner.password });
  const verifyCode = await newestCode(store, email);
  expectDone(await visitor.mutate("accounts.confirmEmail", { verifyCode }));
  expect(await kept()).toEqual(expect.arrayContaining(mails));
  const back = { email: formerOwner.email, password: formerOwner.password };
  await visitor.mutate("accounts.requestEmailCode", back);
  await visitor.mutate("accounts.confirmEmail", { verifyCode: await newestCode(store, back.email) });
  expect(await deleteAccount(visitor, formerOwner.password)).toMatchObject({ status: 200 });
  expect(await kept()).toEqual(expect.arrayContaining(["account-deleted", ...mails]));
});

test("staff find the orders of a deleted account only by number", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { id, number } = await placeAnother(visitor, student, shopId);
  await moveTo(staff, id, "delivered");
  await deleteAccount(visitor, student.password);
  const find = async (search: string) =>
    (await staff.query("board.page", { state: "all", search })).body.result.data.rows;
  expect(await find(number)).toMatchObject([{ id, studentName: "Deleted account" }]);
  expect(await find(student.phone)).toEqual([]);
  expect(await find(student.email)).toEqual([]);
});

test("e-mail and phone can be used for a new account, which inherits nothing", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { id } = await placeAnother(visitor, student, shopId);
  await moveTo(staff, id, "delivered");
  await deleteAccount(visitor, student.password);

  const login = await store.visitor().post("/api/v1/users/login", student);
  expect([login.status, login.body.message]).toEqual([401, "Invalid email or password"]);
  store.clock.advance({ seconds: 1 });
  const again = store.visitor();
  expect((await register(again, student)).status).toBe(200);
  const verifyCode = await newestCode(store, student.email);
  await again.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  expect((await again.post("/api/v1/users/login", student)).status).toBe(200);
  expect((await again.query("orders.mine", {})).body.result.data.rows).toEqual([]);
});

describe("an account is not deleted", () => {
  test.each(OPEN_STATES)("while an order of it is %s", async (state) => {
    const { visitor, student, id, number } = await placeOrder(store, shopId);
    await moveTo(staff, id, state);
    expect(await deleteAccount(visitor, student.password)).toEqual({
      status: 409,
      code: "CONFLICT",
      message: `Order ${number} is not finished yet. You can delete your account once every order is delivered or cancelled`,
    });
    expect((await visitor.query("orders.mine", {})).body.result.data.rows).toHaveLength(1);
    expect((await visitor.query("accounts.me")).body.result.data).toMatchObject({
      fullName: student.fullName,
    });
  });

  test("while several orders of it are open, only afterwards", async () => {
    const first = await placeOrder(store, shopId);
    const { visitor, student } = first;
    const second = await placeAnother(visitor, student, shopId);
    expect((await deleteAccount(visitor, student.password)).message).toBe(
      `Orders ${first.number} and ${second.number} are not finished yet. You can delete your account once every order is delivered or cancelled`,
    );
    await moveTo(staff, first.id, "delivered");
    await staff.mutate("board.cancel", { orderId: second.id, from: "placed", reason: "No toner" });
    expect((await deleteAccount(visitor, student.password)).status).toBe(200);
  });

  test("without its password", async () => {
    const { visitor, student } = await signedInStudent(store);
    expect(await deleteAccount(visitor, "a guess")).toMatchObject({
      code: "INVALID_INPUT",
      message: "This is not your current password",
    });
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await deleteAccount(visitor, student.password)).toMatchObject({ status: 200 });
  });

  test("if it is the only admin", async () => {
    const alone = await startTestStore();
    const { visitor, person } = await signedInAdmin(alone);
    const { people } = (await visitor.query("staff.list")).body.result.data;
    for (const { _id: userId, email } of people) {
      if (email !== person.email) await visitor.mutate("staff.remove", { userId });
    }
    expect(await deleteAccount(visitor, person.password)).toEqual({
      status: 403,
      code: "FORBIDDEN",
      message:
        "You are the only admin of the store. Make someone else an admin before you delete your account",
    });
    await alone.stop();
  });

  test("if it belongs to the staff", async () => {
    const owner = await signedInOwner(store, [shopId]);
    const admin = await signedInAdmin(store);
    for (const { visitor, person } of [owner, admin]) {
      expect(await deleteAccount(visitor, person.password)).toEqual({
        status: 403,
        code: "FORBIDDEN",
        message: "You are on the staff. Please ask an admin to remove you before you delete your account",
      });
      expect(await isSignedIn(visitor)).toBe(true);
    }
  });
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
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const deleting = transact(store.deps.db, async (trx) => {
    const deleted = { deleted_at: store.deps.now().toISOString() };
    await trx.updateTable("users").set(deleted).where("email", "=", email).execute();
    await mayCommit;
  });
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

test("a photo whose account is deleted while it is being stored is refused", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { files } = store.deps;
  store.deps.files = {
    ...files,
    stage: async (...input) => {
      expect(await deleteAccount(visitor, student.password)).toMatchObject({ status: 200 });
      return files.stage(...input);
    },
  };
  const { status } = await sendPhoto(visitor, new Uint8Array(await transparentPicture()));
  store.deps.files = files;
  expect(status).toBe(401);
});

/** As if the mail server had refused this mail for good, once the worker is done with it. */
async function giveUp(id = ""): Promise<void> {
  const { db, readDb } = store.deps;
  const sent = readDb.selectFrom("outbox").select("sent_at").where("id", "=", id);
  await expect.poll(() => sent.executeTakeFirst()).toEqual({ sent_at: expect.any(String) });
  const failure = { failed_at: store.clock.now().toISOString(), sent_at: null };
  await db.updateTable("outbox").set(failure).where("id", "=", id).execute();
}

test("the audit log contains no e-mail of former staff, invited people or mail recipients", async () => {
  const owner = await signedInOwner(store, [shopId]);
  const { email: invited } = newStudent();
  await admin.visitor.mutate("staff.invite", { email: invited, role: "counter", shopIds: [shopId] });
  await owner.visitor.mutate("shops.admin.setOpen", { shopId, isOpen: true });
  const [mail] = await mailsTo(store, invited);
  await giveUp(mail?.id);
  expectDone(await admin.visitor.mutate("mail.resend", { id: mail?.id }));
  const writer = newStudent().email;
  const written = { fullName: writer, email: writer, subject: "Tabla lessons", message: "Hello" };
  expectDone(await store.visitor().mutate("contact.send", written));
  const { rows } = expectDone(await admin.visitor.query("contact.list", {}));
  const message = rows.find(({ subject }: { subject: string }) => subject === "Tabla lessons");
  expectDone(await admin.visitor.mutate("contact.mark", { id: message.id, state: "read" }));
  const toAdmin = await mailsTo(store, admin.person.email);
  const forwarded = toAdmin.find(({ subject }) => subject === "Contact: Tabla lessons");
  await giveUp(forwarded?.id);
  expectDone(await admin.visitor.mutate("mail.resend", { id: forwarded?.id }));
  expect((await admin.visitor.mutate("staff.remove", { userId: owner.userId })).status).toBe(200);
  const { visitor, person } = owner;
  await visitor.post("/api/v1/users/login", person);
  expect((await deleteAccount(visitor, person.password)).status).toBe(200);

  const lines = JSON.stringify(await store.deps.readDb.selectFrom("audit_log").selectAll().execute());
  for (const email of [person.email, invited, writer, admin.person.email]) expect(lines).not.toContain(email);
  expect(lines).not.toContain("Tabla lessons");
  const { body } = await admin.visitor.query("audit.list", { search: invited, action: "staff.invite" });
  const shown = invited.replace(/(?<=^..)[^@]*/, "•••");
  expect(body.result.data.rows[0]).toMatchObject({ subject: shown });
});
