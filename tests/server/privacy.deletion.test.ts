import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { OPEN_STATES } from "#shared/order-states.ts";
import { confirmShopEmail, mailsTo } from "../factories/mails.ts";
import { transparentPicture } from "../factories/photos.ts";
import { moveTo, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { sendPhoto } from "../factories/reprints.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import {
  isSignedIn,
  logIn,
  newestCode,
  newStudent,
  register,
  signedInStudent,
} from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let admin: StaffPerson;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  admin = await signedInAdmin(store);
  staff = admin.visitor;
});

async function deleteAccount(visitor: ApiClient, password: string) {
  const { status, body } = await visitor.mutate("privacy.deleteAccount", { password });
  return { status, message: body.error?.message, code: body.error?.data.appCode };
}

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

test("somebody whose address is also that of a shop neither downloads, takes along nor deletes the mails of its orders", async () => {
  const { visitor, student: formerOwner } = await signedInStudent(store);
  const shop = await shownShop(staff, undefined, { email: formerOwner.email });
  await confirmShopEmail(store, formerOwner.email);
  const { visitor: neighbour, student } = await signedInStudent(store);
  const { number } = await placeAnother(neighbour, student, shop.id);
  const kept = async () => [
    ...(await mailsTo(store, formerOwner.email)).map(({ kind }) => kind),
    ...(await mailsTo(store, student.email)).map(({ kind, reply_to }) => [kind, reply_to]),
  ];
  const mails = ["order-shop", "shop-email-confirm", ["order-student", formerOwner.email]];
  expect(await kept()).toHaveLength(mails.length);
  expect(await kept()).toEqual(expect.arrayContaining(mails));
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
    const alone = await tempStore();
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

test("a photo whose account is deleted while it is being stored is refused", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { files } = store.deps;
  onTestFinished(() => {
    store.deps.files = files;
  });
  store.deps.files = {
    ...files,
    stage: async (...input) => {
      expect(await deleteAccount(visitor, student.password)).toMatchObject({ status: 200 });
      return files.stage(...input);
    },
  };
  const { status } = await sendPhoto(visitor, new Uint8Array(await transparentPicture()));
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
  await logIn(visitor, person);
  expect((await deleteAccount(visitor, person.password)).status).toBe(200);

  const lines = JSON.stringify(await store.deps.readDb.selectFrom("audit_log").selectAll().execute());
  for (const email of [person.email, invited, writer, admin.person.email]) expect(lines).not.toContain(email);
  expect(lines).not.toContain("Tabla lessons");
  const { body } = await admin.visitor.query("audit.list", { search: invited, action: "staff.invite" });
  const shown = invited.replace(/(?<=^..)[^@]*/, "•••");
  expect(body.result.data.rows[0]).toMatchObject({ subject: shown });
});
