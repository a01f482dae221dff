import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { TOTP } from "otpauth";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { updatePassword } from "#server/accounts/accounts.queries.ts";
import { ensureAdmin } from "#server/accounts/admin.service.ts";
import { findSecondFactors } from "#server/accounts/second-factor.queries.ts";
import { deleteSessionsOf } from "#server/accounts/sessions.queries.ts";
import { moveMails } from "#server/mail/mail.service.ts";
import { RECOVERY_CODES } from "#shared/schemas/second-factors.ts";
import { mailsTo } from "../factories/mails.ts";
import { ADDRESS, orderFor, uploadPages } from "../factories/orders.ts";
import { SoftwareKey } from "../factories/passkeys.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { acceptedReprint } from "../factories/reprints.ts";
import { expectDone } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import { behindLock, refusalsOf, statusesOf, together } from "../factories/together.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const MANY = 10;
const ROUNDS = 3;

const store = testStore();
let admin: StaffPerson;
let shops: string[];
beforeAll(async () => {
  admin = await signedInAdmin(store);
  shops = await shopIds(store);
});

const usersWith = (by: "email" | "phone", value: string) =>
  store.deps.readDb.selectFrom("users").selectAll().where(by, "=", value).execute();

describe("at the same moment", () => {
  test.each(["email", "phone"] as const)(
    "sign-ups with one %s leave one account, which can be verified",
    async (field) => {
      const one = newStudent();
      const answers = await together(MANY, () =>
        register(store.visitor(), { ...newStudent(), [field]: one[field] }),
      );

      expect(statusesOf(answers)).toEqual({ 200: MANY });
      const [account, another] = await usersWith(field, one[field]);
      expect(another).toBeUndefined();
      store.clock.advance({ seconds: 1 });
      await store.visitor().mutate("accounts.resendVerification", { phone: account?.phone });
      const verifyCode = await newestCode(store, account?.email ?? "");
      const verified = await store
        .visitor()
        .post("/api/v1/users/verify-account", { verifyCode, phone: account?.phone });
      expect(verified.status).toBe(200);
    },
  );

  test("wrong codes are tried five times, after which the right one fails", async () => {
    const { visitor, student } = await signedInStudent(store);
    await visitor.post("/api/v1/users/logout");
    store.clock.advance({ seconds: 1 });
    await visitor.post("/api/v1/users/generate-otp-for-login", { email: student.email });
    const right = await newestCode(store, student.email);
    const wrong = right === "000000" ? "000001" : "000000";
    const login = (verifyCode: string) =>
      store.visitor().post("/api/v1/users/login-with-otp", { verifyCode, email: student.email });

    await together(4, () => login(wrong));
    const answers = await together(MANY, (index) => login(index === 0 ? wrong : right));
    expect([{ 401: MANY }, { 200: 1, 401: MANY - 1 }]).toContainEqual(statusesOf(answers));

    store.clock.advance({ seconds: 1 });
    await visitor.post("/api/v1/users/generate-otp-for-login", { email: student.email });
    await together(MANY, () => login("999999"));
    expect((await login(await newestCode(store, student.email))).status).toBe(401);
  });

  test("a phone number confirmed by two users goes to one, and the other is told", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { phone } = newStudent();
      const people = await Promise.all([signedInStudent(store), signedInStudent(store)]);
      store.clock.advance({ seconds: 1 });
      for (const { visitor } of people)
        expectDone(await visitor.mutate("accounts.requestPhoneCode", { phone }));
      const answers = await Promise.all(
        people.map(async ({ visitor, student }) =>
          visitor.mutate("accounts.confirmPhone", { verifyCode: await newestCode(store, student.email) }),
        ),
      );

      expect(statusesOf(answers)).toEqual({ 200: 1, 409: 1 });
      expect(refusalsOf(answers)).toEqual(["An account with this mobile number already exists"]);
    }
  });

  test("an e-mail confirmed by two users goes to one, and the other is told", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { email } = newStudent();
      const people = await Promise.all([signedInStudent(store), signedInStudent(store)]);
      const codes: string[] = [];
      for (const { visitor, student } of people) {
        store.clock.advance({ seconds: 1 });
        expectDone(await visitor.mutate("accounts.requestEmailCode", { email, password: student.password }));
        codes.push(await newestCode(store, email));
      }
      const answers = await Promise.all(
        people.map(({ visitor }, index) =>
          visitor.mutate("accounts.confirmEmail", { verifyCode: codes[index] }),
        ),
      );

      expect(statusesOf(answers)).toEqual({ 200: 1, 409: 1 });
      expect(refusalsOf(answers)).toEqual(["An account with this email already exists"]);
    }
  });

  test("a phone number confirmed by one and used by another's sign-up goes to one of them", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { visitor, student } = await signedInStudent(store);
      const newcomer = newStudent();
      store.clock.advance({ seconds: 1 });
      expectDone(await visitor.mutate("accounts.requestPhoneCode", { phone: newcomer.phone }));
      const verifyCode = await newestCode(store, student.email);
      const [confirmed, registered] = await Promise.all([
        visitor.mutate("accounts.confirmPhone", { verifyCode }),
        register(store.visitor(), newcomer),
      ]);

      expect(confirmed?.status).toBe(200);
      expect([200, 409]).toContain(registered?.status);
      expect(await usersWith("phone", newcomer.phone)).toMatchObject([{ email: student.email }]);
    }
  });

  test("requested recovery links leave one valid link, which works once", async () => {
    const { student } = await signedInStudent(store);
    const email = student.email;
    await together(MANY, () => store.visitor().post("/api/v1/users/fpmail", { email }));
    const links = await store.deps.readDb
      .selectFrom("password_resets")
      .innerJoin("users", "users.id", "password_resets.user_id")
      .select("token_hash")
      .where("email", "=", email)
      .execute();
    expect(links).toHaveLength(1);

    const tokens = (await mailsTo(store, email)).flatMap(
      ({ text }) => /reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? [],
    );
    const password = "another long pass phrase";
    const input = { password, confirmpassword: password };
    const answers = await Promise.all(
      [...tokens, ...tokens].map((token) =>
        store.visitor().post("/api/v1/users/reset-password", { ...input, token }),
      ),
    );
    expect(statusesOf(answers)).toEqual({ 200: 1, 422: 2 * MANY - 1 });
  });

  test("saved addresses stay within their limit, with one default", async () => {
    const { visitor } = await signedInStudent(store);
    const answers = await together(15, (index) =>
      visitor.mutate("addresses.add", { address: { ...ADDRESS, flatno: `Room ${index}` } }),
    );

    expect(statusesOf(answers)).toEqual({ 200: 10, 409: 5 });
    expect(refusalsOf(answers)).toEqual(["You can save up to 10 addresses. Please delete one first"]);
    const saved = expectDone(await visitor.query("addresses.list"));
    await Promise.all(saved.map(({ id }: { id: string }) => visitor.mutate("addresses.makeDefault", { id })));
    const after = expectDone(await visitor.query("addresses.list"));
    expect(after.filter(({ isDefault }: { isDefault: boolean }) => isDefault)).toHaveLength(1);
  });

  test("opting out of a mail and in again fails for nobody", async () => {
    const { visitor } = await signedInStudent(store);
    const answers = await together(2 * MANY, (index) =>
      visitor.mutate("accounts.chooseMail", { kind: "dispatched", wanted: index % 2 === 0 }),
    );
    expect(statusesOf(answers)).toEqual({ 200: 2 * MANY });
  });

  test("several starting servers create one admin", async () => {
    const admins = { email: newStudent().email, password: "a long pass phrase" };
    await together(5, () => ensureAdmin(store.deps, admins));
    expect(await usersWith("email", admins.email)).toMatchObject([{ role: "admin" }]);
  });

  test("a message marked by several admins is marked once", async () => {
    const subject = `Question ${newStudent().email}`;
    await store.visitor().post("/api/v1/users/contactus", { ...newStudent(), subject, message: "Hello" });
    const { id } = await store.deps.readDb
      .selectFrom("contact_messages")
      .select("id")
      .where("subject", "=", subject)
      .executeTakeFirstOrThrow();
    const answers = await together(MANY, () => admin.visitor.mutate("contact.mark", { id, state: "read" }));

    expect(statusesOf(answers)).toEqual({ 200: MANY });
    const lines = await store.deps.readDb
      .selectFrom("audit_log")
      .select("id")
      .where("subject_id", "=", id)
      .execute();
    expect(lines).toHaveLength(1);
  });

  test("a login with the old password does not outlive the password change", async () => {
    const { visitor, student } = await signedInStudent(store);
    for (let round = 0; round < ROUNDS; round++) {
      const { password } = student;
      student.password = `a new password ${round}`;
      const change = {
        currentPassword: password,
        password: student.password,
        confirmpassword: student.password,
      };
      const browsers = Array.from({ length: MANY }, () => store.visitor());
      const [changed, ...logins] = await Promise.all([
        visitor.mutate("accounts.changePassword", change),
        ...browsers.map((browser) => browser.post("/api/v1/users/login", { ...student, password })),
      ]);

      expect(changed?.status).toBe(200);
      for (const { status } of logins) expect([200, 401]).toContain(status);
      const alive = await Promise.all(browsers.map((browser) => browser.get("/api/v1/users/getuser")));
      expect(statusesOf(alive)).toEqual({ 401: MANY });
    }
  });

  test("a login with the old password fails while the change that ends all sessions is being committed", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { _id: userId } = (await visitor.get("/api/v1/users/getuser")).body.data;
    const ended = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const change = transact(store.deps.db, async (trx) => {
      await updatePassword(trx, userId, "of another password");
      await deleteSessionsOf(trx, userId);
      ended.resolve();
      await waits.promise;
    });
    await ended.promise;
    const login = visitor.post("/api/v1/users/login", student);
    await Promise.race([login, sleep(300)]);
    waits.resolve();
    await change;

    expect((await login).status).toBe(401);
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(401);
  });
});

test("a staff member who removes both second factors at the same moment keeps one, as the store requires one", async () => {
  const { db, readDb } = store.deps;
  expectDone(await admin.visitor.mutate("staff.setSecondFactorRule", { required: false }));
  for (let round = 0; round < ROUNDS; round++) {
    const { visitor, userId: user_id } = await signedInOwner(store, [shops[0] ?? ""]);
    const created_at = store.deps.now().toISOString();
    await db.insertInto("totp_secrets").values({ user_id, secret: "", last_step: 0, created_at }).execute();
    const key = { id: `key${round}`, user_id, name: "Phone", public_key: "", counter: "0", transports: "[]" };
    await db
      .insertInto("passkeys")
      .values({ ...key, created_at, last_used_at: null })
      .execute();
    expectDone(await admin.visitor.mutate("staff.setSecondFactorRule", { required: true }));
    const answers = await Promise.all([
      visitor.mutate("accounts.removeTotp"),
      visitor.mutate("accounts.removePasskey", { id: key.id }),
    ]);
    expectDone(await admin.visitor.mutate("staff.setSecondFactorRule", { required: false }));

    expect(statusesOf(answers)).toEqual({ 200: 1, 409: 1 });
    expect(refusalsOf(answers)).toEqual(["Your role requires a second factor. Please add another one first"]);
    const { totp, passkeys } = await findSecondFactors(readDb, user_id);
    expect([totp, ...passkeys].filter(Boolean)).toHaveLength(1);
  }
});

test("a first authenticator app set up by two logins at the same moment is that of one, whom the other does not replace", async () => {
  const { person } = await signedInOwner(store, [shops[0] ?? ""]);
  expectDone(await admin.visitor.mutate("staff.setSecondFactorRule", { required: true }));
  const begun = await together(2, async () => {
    const visitor = store.visitor();
    await visitor.post("/api/v1/users/login", person);
    return { visitor, ...expectDone(await visitor.mutate("accounts.startTotp")) };
  });
  const timestamp = store.clock.now().getTime();
  const answers = await Promise.all(
    begun.map(({ visitor, enrolment, secret }) =>
      visitor.mutate("accounts.addTotp", { enrolment, code: new TOTP({ secret }).generate({ timestamp }) }),
    ),
  );
  expectDone(await admin.visitor.mutate("staff.setSecondFactorRule", { required: false }));

  expect(refusalsOf(answers)).toEqual(["This login took too long. Please start again"]);
  const factorsAdded = store.deps.readDb
    .selectFrom("audit_log")
    .select("id")
    .where("action", "=", "factor.add");
  expect(await factorsAdded.execute()).toHaveLength(1);
});

test("recovery codes that are renewed twice at the same moment are those of one of the answers", async () => {
  const { visitor, userId: user_id } = await signedInOwner(store, [shops[0] ?? ""]);
  const created_at = store.deps.now().toISOString();
  const { db, readDb } = store.deps;
  await db.insertInto("totp_secrets").values({ user_id, secret: "", last_step: 0, created_at }).execute();
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await together(4, () => visitor.mutate("accounts.newRecoveryCodes"));

    expect(statusesOf(answers)).toEqual({ 200: 4 });
    expect((await findSecondFactors(readDb, user_id)).recoveryCodesLeft).toBe(RECOVERY_CODES);
  }
});

test("of two admins who remove each other at the same moment one stays", async () => {
  const own = await tempStore();
  const { db, readDb } = own.deps;
  const [first, second] = [await signedInAdmin(own), await signedInAdmin(own)];
  await db
    .updateTable("users")
    .set({ role: "customer" })
    .where("id", "not in", [first.userId, second.userId])
    .execute();
  const answers = await behindLock(
    db,
    // The last that a removal writes.
    (trx) => sql`lock table audit_log in share mode`.execute(trx),
    [
      () => first.visitor.mutate("staff.remove", { userId: second.userId }),
      () => second.visitor.mutate("staff.remove", { userId: first.userId }),
    ],
  );
  const admins = await readDb.selectFrom("users").select("id").where("role", "=", "admin").execute();
  expect(answers.map(({ status }) => status)).toContain(200);
  expect(admins).toHaveLength(1);
});

describe("admins who at the same moment", () => {
  test("invite one person create one invitation", async () => {
    const { email } = newStudent();
    const invitation = { email, role: "owner", shopIds: [shops[0]] };
    const answers = await together(MANY, () => admin.visitor.mutate("staff.invite", invitation));

    expect(statusesOf(answers)).toEqual({ 200: MANY });
    const { invitations } = expectDone(await admin.visitor.query("staff.list"));
    expect(invitations.filter((each: { email: string }) => each.email === email)).toHaveLength(1);
  });

  test("assign different shops to one person leave the shops of the first of them", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const owner = await signedInOwner(store, [shops[0] ?? ""]);
      const answers = await together(4, (index) =>
        admin.visitor.mutate("staff.change", {
          userId: owner.userId,
          role: "owner",
          shopIds: [shops[index], shops[index + 1]],
          base: { role: "owner", shopIds: [shops[0]] },
        }),
      );

      expect(statusesOf(answers)).toEqual({ 200: 1, 409: 3 });
      expect(refusalsOf(answers)).toEqual([expect.stringContaining("saved the role and shops of")]);
      const first = answers.findIndex(({ status }) => status === 200);
      const mine = expectDone(await owner.visitor.query("staff.myShops"));
      expect(mine.shops.map(({ id }: { id: string }) => id)).toEqual([shops[first], shops[first + 1]]);
    }
  });
});

describe("an e-mail that is changed while its owner's other call waits", () => {
  /** Gives the account another e-mail while the call is under way, as confirming it does; returns the call's answer. */
  async function changeEmailDuring(
    { userId, from, to }: { userId: string; from: string; to: string },
    call: () => Promise<ApiAnswer>,
  ): Promise<ApiAnswer> {
    const { db, onEmailChange } = store.deps;
    const changed = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const change = transact(db, async (trx) => {
      await trx.updateTable("users").set({ email: to }).where("id", "=", userId).execute();
      await moveMails(trx, { from, to });
      await onEmailChange(trx, { userId, from, to });
      changed.resolve();
      await waits.promise;
    });
    await changed.promise;
    const answer = call();
    await sleep(100);
    waits.resolve();
    await change;
    return answer;
  }

  test("is the e-mail of the order that they place, and of its mails", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { _id: userId } = (await visitor.get("/api/v1/users/getuser")).body.data;
    const request = await orderFor(visitor, { shopId: shops[0] ?? "" });
    const { email: to } = newStudent();
    const placed = await changeEmailDuring({ userId, from: student.email, to }, () =>
      visitor.post("/api/v1/prints/printorder", request),
    );

    expect(placed.status).toBe(200);
    const order = store.deps.readDb.selectFrom("orders").select("user_email").where("user_id", "=", userId);
    expect(await order.execute()).toEqual([{ user_email: to }]);
    expect((await mailsTo(store, to)).map(({ kind }) => kind)).toContain("order-student");
  });

  test("gets the mails of the reprint that they order", async () => {
    const { id, visitor, student } = await acceptedReprint(store, admin.visitor, shops[0] ?? "");
    const { _id: userId } = (await visitor.get("/api/v1/users/getuser")).body.data;
    const request = { orderId: id, filesUrl: [await uploadPages(visitor, 3)] };
    const { email: to } = newStudent();
    const ordered = await changeEmailDuring({ userId, from: student.email, to }, () =>
      visitor.mutate("reprints.order", request),
    );

    const { number } = expectDone(ordered);
    expect(await mailsTo(store, student.email)).toEqual([]);
    const mails = (await mailsTo(store, to)).filter(({ subject }) => subject.includes(number));
    expect(mails.map(({ kind }) => kind)).toEqual(["order-student"]);
  });

  test("leaves no mail behind when the account is deleted", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { _id: userId } = (await visitor.get("/api/v1/users/getuser")).body.data;
    const { email: to } = newStudent();
    const deleted = await changeEmailDuring({ userId, from: student.email, to }, () =>
      visitor.mutate("privacy.deleteAccount", { password: student.password }),
    );

    expect(deleted.status).toBe(200);
    const kindsTo = async (email: string) => (await mailsTo(store, email)).map(({ kind }) => kind);
    expect([await kindsTo(student.email), await kindsTo(to)]).toEqual([[], ["account-deleted"]]);
  });
});

test("an account deleted during its owner's other actions leaves nothing of them", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { visitor, student } = await signedInStudent(store);
    const order = await orderFor(visitor, { shopId: shops[0] ?? "" });
    const { _id } = (await visitor.get("/api/v1/users/getuser")).body.data;
    const { email, password } = student;
    const pdf = await pdfOfPages(1);
    const [deleted, placed] = await Promise.all([
      visitor.mutate("privacy.deleteAccount", { password }),
      // Checking the password takes a moment, so the others start with it.
      new Promise((resolve) => setTimeout(resolve, 10 * round)).then(() =>
        visitor.post("/api/v1/prints/printorder", order),
      ),
      ...Array.from({ length: 2 }, () => visitor.upload(pdf)),
      visitor.mutate("addresses.add", { address: ADDRESS }),
      visitor.mutate("accounts.requestPhoneCode", { phone: newStudent().phone }),
      ...Array.from({ length: 4 }, () =>
        store.visitor().post("/api/v1/users/generate-otp-for-login", { email }),
      ),
      ...Array.from({ length: 4 }, () => store.visitor().post("/api/v1/users/fpmail", { email })),
    ]);
    expect([200, 401]).toContain(placed?.status);
    if (placed?.status === 200) {
      expect(deleted?.status).toBe(409);
      continue;
    }

    expect(deleted?.status).toBe(200);
    const { readDb } = store.deps;
    const kept = readDb.selectFrom("files").select("id").where("owner_id", "=", _id);
    expect(await kept.where("deleted_at", "is", null).execute()).toEqual([]);
    const codes = readDb.selectFrom("one_time_codes").select("purpose").where("user_id", "=", _id);
    expect(await codes.execute()).toEqual([]);
    expect((await mailsTo(store, email)).map(({ kind }) => kind)).toEqual(["account-deleted"]);
  }
});

test.each(["a mailed code", "a passkey", "a second factor"])(
  "a login by %s opens no session that outlives a password change",
  async (way) => {
    const { sessions, db } = store.deps;
    const { visitor: owner, userId, person } = await signedInOwner(store, [shops[0] ?? ""]);
    const browser = store.visitor();
    const logIn = async () => {
      if (way === "a mailed code") {
        await browser.post("/api/v1/users/generate-otp-for-login", { email: person.email });
        const verifyCode = await newestCode(store, person.email);
        return () => browser.post("/api/v1/users/login-with-otp", { verifyCode, email: person.email });
      }
      const key = new SoftwareKey();
      const origin = { origin: store.url };
      const created = key.create(expectDone(await owner.mutate("accounts.startPasskey")), origin);
      const { recoveryCodes } = expectDone(
        await owner.mutate("accounts.addPasskey", { name: "Phone", passkey: created }),
      );
      if (way === "a passkey") {
        const passkey = key.get(expectDone(await browser.mutate("accounts.passkeyChallenge")), origin);
        return () => browser.mutate("accounts.loginWithPasskey", { passkey });
      }
      await browser.post("/api/v1/users/login", person);
      return () => browser.mutate("accounts.finishLogin", { code: recoveryCodes[0] });
    };
    const login = await logIn();

    const { create } = sessions;
    onTestFinished(() => void Object.assign(sessions, { create }));
    sessions.create = async (...session) => {
      await transact(db, async (trx) => {
        await updatePassword(trx, userId, "of another password");
        await deleteSessionsOf(trx, userId);
      });
      return create(...session);
    };
    expect((await login()).status).toBe(401);
    expect((await browser.get("/api/v1/users/getuser")).status).toBe(401);
  },
);
