import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { deleteExpiredCodes } from "#server/accounts/codes.queries.ts";
import { deleteAbandonedSignups } from "#server/accounts/signup.service.ts";
import { deleteUnordered } from "#server/files/files.service.ts";
import { storedPath } from "#server/files/storage/file-store.ts";
import { countUnsent } from "#server/mail/mail.queries.ts";
import { deleteShortLivedMails } from "#server/mail/mail.service.ts";
import { mailsTo } from "../factories/mails.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { blackPng } from "../factories/photos.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { sendPhoto } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { isOnDisk, makeUnremovable } from "../factories/stored-files.ts";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, type TestStore, tempStore } from "../setup/test-store.ts";

const LONG_AGO = "2020-01-01T00:00:00.000Z";
const SHOP_PHOTO = `${"0123456789abcdef".repeat(2)}.webp`;
const STRAY_FILE = "0f5c2a1e-of-a-killed-server";
/** What expires, with the column that says when. */
const EXPIRING = {
  sessions: "expires_at",
  pending_logins: "expires_at",
  passkey_challenges: "expires_at",
  one_time_codes: "expires_at",
  password_resets: "expires_at",
  rate_limits: "expires_at",
  users: "created_at",
  staff_invitations: "expires_at",
  upload_reservations: "expires_at",
  live_events: "created_at",
  outbox: "created_at",
  reprint_photos: "created_at",
};

/** One of everything that a store deletes when its time is over. */
async function leaveExpired({ deps: { db, config } }: TestStore, userId: string, fileId: string) {
  const id = randomUUID();
  const mine = { id, user_id: userId, expires_at: LONG_AGO };
  const session = { public_id: id, device: "", last_seen_at: LONG_AGO, confirmed_at: null };
  const event = await db.selectFrom("live_events").selectAll().limit(1).executeTakeFirstOrThrow();
  const mail = { kind: "account-deleted", recipient: "gone@college.example", reply_to: null, subject: "" };
  const body = { content: null, secret: 0 as const };
  const photo = { reprint_id: null, position: 0, bytes: 1, deleted_at: null };
  await db
    .insertInto("sessions")
    .values({ ...mine, ...session, created_at: LONG_AGO })
    .execute();
  await db.insertInto("pending_logins").values(mine).execute();
  const person = { email: `${id}@college.example`, created_at: LONG_AGO };
  const signup = {
    phone: null,
    full_name: "Nobody",
    password_hash: "",
    verified_at: null,
    terms_accepted_at: null,
  };
  await db
    .insertInto("users")
    .values({ id, ...person, ...signup, role: "customer" })
    .execute();
  await db
    .insertInto("staff_invitations")
    .values({ id, ...person, role: "admin", token_hash: id, invited_by: userId, expires_at: LONG_AGO })
    .execute();
  await db.insertInto("passkey_challenges").values(mine).execute();
  const { id: _, ...code } = { ...mine, purpose: "login" as const, code_hash: id, tries_left: 5 };
  await db
    .insertInto("one_time_codes")
    .values({ ...code, new_contact: null })
    .execute();
  await db
    .insertInto("password_resets")
    .values({ token_hash: id, user_id: userId, expires_at: LONG_AGO })
    .execute();
  await db.insertInto("rate_limits").values({ key: id, points: 1, expires_at: LONG_AGO }).execute();
  await db
    .insertInto("upload_reservations")
    .values({ id, owner_id: userId, bytes: 1, expires_at: LONG_AGO })
    .execute();
  await db
    .insertInto("live_events")
    .values({ ...event, seq: -1, created_at: LONG_AGO })
    .execute();
  await db
    .insertInto("outbox")
    .values({
      id,
      ...mail,
      ...body,
      priority: 0,
      attempts: 1,
      due_at: LONG_AGO,
      created_at: LONG_AGO,
      failed_at: LONG_AGO,
    })
    .execute();
  await db
    .insertInto("reprint_photos")
    .values({ id, owner_id: userId, ...photo, created_at: LONG_AGO })
    .execute();
  const unordered = { created_at: LONG_AGO, deleted_at: null, erased_at: null };
  await db.updateTable("files").set(unordered).where("id", "=", fileId).execute();
  for (const path of strayFiles(config.dataDir)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
    await utimes(path, new Date(LONG_AGO), new Date(LONG_AGO));
  }
}

/** A file that was stored and not recorded, and the photo of no shop. */
function strayFiles(dataDir: string): string[] {
  const files = join(dataDir, "files");
  return [
    storedPath(files, STRAY_FILE),
    join(files, "pending", STRAY_FILE),
    join(dataDir, "shop-images", SHOP_PHOTO),
  ];
}

/** The names of what is left of it. */
async function leftIn({ deps: { readDb, config } }: TestStore, fileId: string): Promise<string[]> {
  const left: string[] = [];
  for (const [table, column] of Object.entries(EXPIRING)) {
    const search = sql`select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${LONG_AGO}`;
    if ((await search.execute(readDb)).rows.length > 0) left.push(table);
  }
  const file = readDb.selectFrom("files").select("id").where("id", "=", fileId);
  if (await file.executeTakeFirst()) left.push("files");
  return [...left, ...strayFiles(config.dataDir).filter((path) => existsSync(path))];
}

test("what has expired is deleted at the start and every ten minutes, even if one part of it fails", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const settings = { DATA_DIR: await tempFolder(), LOG_LEVEL: "silent" };
  const first = await startTestStore(settings);
  const [shopId] = await shopIds(first);
  await placeOrder(first, shopId);
  const { visitor } = await signedInStudent(first);
  const userId = (await visitor.get("/api/v1/users/getuser")).body.data._id;
  const upload = async () => (await visitor.upload(new Uint8Array(plainPdf(1)))).body.public_id;
  const [fileId, laterFileId] = [await upload(), await upload()];
  await leaveExpired(first, userId, fileId);
  const everything = await leftIn(first, fileId);
  expect(everything).toHaveLength(16);
  await first.stop();

  const store = await tempStore(settings, undefined, first.clock);
  // Vitest's own polling would move the timers on.
  for (let tries = 0; tries < 500 && (await leftIn(store, fileId)).length > 0; tries++) await sleep(10);
  expect(await leftIn(store, fileId)).toEqual([]);

  await leaveExpired(store, userId, laterFileId);
  const deleteExpired = vi.fn(() => Promise.reject(new Error("not today")));
  store.deps.sessions.deleteExpired = deleteExpired;
  vi.advanceTimersByTime(10 * 60_000 - 1);
  expect(deleteExpired).not.toHaveBeenCalled();
  expect(await leftIn(store, laterFileId)).toEqual(everything);
  vi.advanceTimersByTime(1);
  await expect.poll(() => leftIn(store, laterFileId)).toEqual(["sessions"]);
});

test("the name and the hash of an upload stay for an order, and otherwise go a day after it came, once its bytes are gone", async () => {
  const store = await tempStore({ LOG_LEVEL: "silent" });
  const [shopId] = await shopIds(store);
  const { fileId: ordered, visitor } = await placeOrder(store, shopId);
  const { id: orderId, fileId: delivered } = await placeOrder(store, shopId);
  await moveTo((await signedInAdmin(store)).visitor, orderId, "delivered");
  await expect.poll(() => isOnDisk(store, delivered)).toBe(false);
  const upload = async () => (await visitor.upload(new Uint8Array(plainPdf(1)))).body.public_id;
  const [removed, neverOrdered, stuck] = [await upload(), await upload(), await upload()];
  const files = { ordered, delivered, removed, neverOrdered, stuck };
  expectDone(await visitor.mutate("files.remove", { id: files.removed }));
  const makeRemovable = await makeUnremovable(store, files.stuck);
  const known = async () => {
    await deleteUnordered(store.deps);
    const rows = await store.deps.readDb.selectFrom("files").select("id").execute();
    const ids = new Set(rows.map(({ id }) => id));
    return Object.entries(files).flatMap(([name, id]) => (ids.has(id) ? [name] : []));
  };

  store.clock.advance({ hours: 24, minutes: -1 });
  expect(await known()).toEqual(["ordered", "delivered", "removed", "neverOrdered", "stuck"]);
  store.clock.advance({ minutes: 2 });
  expect(await known()).toEqual(["ordered", "delivered", "stuck"]);
  await makeRemovable();
  expect(await known()).toEqual(["ordered", "delivered"]);
});

test("what a killed server had recorded already is kept, though it had no time to say so, and what it was making is gone", async () => {
  const settings = { DATA_DIR: await tempFolder() };
  const first = await startTestStore(settings);
  const { visitor } = await signedInStudent(first);
  const fileId = (await visitor.upload(new Uint8Array(plainPdf(1)))).body.public_id;
  const { id: photoId } = expectDone(await sendPhoto(visitor, new Uint8Array(blackPng(64))));
  await first.stop();
  const pending = [fileId, photoId].map((id) => join(settings.DATA_DIR, "files/pending", id));
  for (const path of pending) await writeFile(path, "");
  const left = join(settings.DATA_DIR, "packs/left/copy.pdf");
  await mkdir(dirname(left), { recursive: true });
  await writeFile(left, plainPdf(1));

  const store = await tempStore(settings, undefined, first.clock);
  expect(existsSync(left)).toBe(false);
  await expect.poll(() => pending.filter((path) => existsSync(path))).toEqual([]);
  expect([await isOnDisk(store, fileId), await isOnDisk(store, photoId)]).toEqual([true, true]);
});

test("a sign-up that nobody verified is forgotten after thirty days, and can be made again", async () => {
  const store = await tempStore();
  const [kept, forgotten] = [await signedInStudent(store), newStudent()];
  // Whose order at a counter is in the shop's books.
  const visitor = { email: "visit:of-long-ago" };
  const nobody = { phone: null, full_name: "Visitor", password_hash: "", role: "visitor" } as const;
  await store.deps.db
    .insertInto("users")
    .values({
      id: randomUUID(),
      ...visitor,
      ...nobody,
      verified_at: null,
      terms_accepted_at: null,
      created_at: LONG_AGO,
    })
    .execute();
  expect((await register(store.visitor(), forgotten)).status).toBe(200);
  const left = async () => {
    await deleteAbandonedSignups(store.deps);
    const emails = [kept.student, visitor, forgotten].map(({ email }) => email);
    const found = store.deps.readDb.selectFrom("users").select("email").where("email", "in", emails);
    return (await found.execute()).map(({ email }) => email);
  };
  store.clock.advance({ days: 30, ms: -1 });
  expect(await left()).toHaveLength(3);
  store.clock.advance({ ms: 1 });
  expect((await left()).sort()).toEqual([kept.student.email, visitor.email].sort());
  expect((await register(store.visitor(), forgotten)).status).toBe(200);
});

test("an address that belongs to no account leaves the outbox a day after its codes", async () => {
  const store = await tempStore();
  const { visitor, student } = await signedInStudent(store);
  const misspelt = newStudent();
  const corrected = { ...newStudent(), phone: misspelt.phone };
  for (const signup of [misspelt, corrected])
    expect((await register(store.visitor(), signup)).status).toBe(200);
  const unconfirmed = newStudent().email;
  const { password } = student;
  expectDone(await visitor.mutate("accounts.requestEmailCode", { email: unconfirmed, password }));
  expectDone(await visitor.mutate("accounts.requestPhoneCode", { phone: corrected.phone }));
  const verifyCode = await newestCode(store, student.email);
  expectDone(await visitor.mutate("accounts.confirmPhone", { verifyCode }));

  const mailed = async () => {
    await deleteShortLivedMails(store.deps);
    const emails = [misspelt.email, corrected.email, unconfirmed];
    return Promise.all(emails.map(async (email) => (await mailsTo(store, email)).length));
  };
  await expect.poll(() => countUnsent(store.deps.readDb)).toEqual({ waiting: 0, failed: 0 });
  expect(await mailed()).toEqual([1, 1, 1]);
  store.clock.advance({ days: 1, ms: 1 });
  expect(await mailed()).toEqual([0, 0, 0]);
});

test("mailed codes and links stay until their time is over", async () => {
  const store = await tempStore();
  const { db } = store.deps;
  const { visitor } = await signedInStudent(store);
  const { _id: user_id } = expectDone(await visitor.query("accounts.me"));
  const expires_at = store.clock.now().toISOString();
  const code = { purpose: "login", code_hash: "", tries_left: 5, new_contact: null } as const;
  await db
    .insertInto("one_time_codes")
    .values({ ...code, user_id, expires_at })
    .execute();
  await db.insertInto("password_resets").values({ token_hash: "", user_id, expires_at }).execute();
  const left = async () => [
    (await db.selectFrom("one_time_codes").select("purpose").execute()).length,
    (await db.selectFrom("password_resets").select("user_id").execute()).length,
  ];
  await deleteExpiredCodes(db, new Date(store.clock.now().getTime() - 1).toISOString());
  expect(await left()).toEqual([1, 1]);
  await deleteExpiredCodes(db, expires_at);
  expect(await left()).toEqual([0, 0]);
});
