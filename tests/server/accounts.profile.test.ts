import { describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { issueCode } from "#server/accounts/codes.ts";
import { mailsTo } from "../factories/mails.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import {
  logIn,
  newestCode,
  newStudent,
  register,
  signedInStudent,
  visitorAs,
} from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();

function refusal({ body }: ApiAnswer) {
  const { message, data } = body.error;
  return [data.appCode, message];
}

async function me(visitor: ApiClient) {
  return (await visitor.query("accounts.me")).body.result.data;
}

/** Requests a code for a new number; returns both. */
async function askForPhone(visitor: ApiClient, email: string, phone = newStudent().phone) {
  // The newest mail is found by its time.
  store.clock.advance({ seconds: 1 });
  const { status } = await visitor.mutate("accounts.requestPhoneCode", { phone });
  expect(status).toBe(200);
  return { phone, verifyCode: await newestCode(store, email) };
}

/** A six-digit code different from this one. */
function otherThan(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, "0");
}

describe("the name", () => {
  test("is changed for the user and in the staff's order search", async () => {
    const [shopId] = await shopIds(store);
    const { visitor: staff } = await signedInAdmin(store);
    const { visitor, student } = await signedInStudent(store);
    const order = await placeAnother(visitor, student, shopId);

    const { body } = await visitor.mutate("accounts.rename", { fullName: "  Ilā Kapoor " });
    expect(body.result.data).toMatchObject({ fullName: "Ilā Kapoor", email: student.email });
    expect(await me(visitor)).toMatchObject({ fullName: "Ilā Kapoor" });
    const found = async (search: string) =>
      (await staff.query("board.page", { state: "all", search })).body.result.data.rows.map(
        ({ id }: { id: string }) => id,
      );
    expect(await found("kapoor")).toEqual([order.id]);
    expect(await found(order.number)).toEqual([order.id]);
    expect(await found(student.phone)).toEqual([order.id]);
    expect(await found(student.fullName)).not.toContain(order.id);
    await moveTo(staff, order.id, "delivered");
  });

  test("may not be empty", async () => {
    const { visitor } = await signedInStudent(store);
    expect(refusal(await visitor.mutate("accounts.rename", { fullName: " " }))).toEqual([
      "INVALID_INPUT",
      "Full name is required",
    ]);
  });
});

describe("the phone number", () => {
  test("changes only after the mailed code is entered", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { phone, verifyCode } = await askForPhone(visitor, student.email);
    expect((await me(visitor)).phone).toBe(student.phone);

    const [mail] = await mailsTo(store, student.email);
    expect(mail).toMatchObject({ kind: "account-phone", secret: 1 });
    expect(mail?.text).toContain(`change your mobile number to ${phone}`);
    const stored = await store.deps.readDb.selectFrom("one_time_codes").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(verifyCode);

    const { body } = await visitor.mutate("accounts.confirmPhone", { verifyCode });
    expect(body.result.data).toMatchObject({ phone });
    expect(await me(visitor)).toMatchObject({ phone });
    expect(refusal(await visitor.mutate("accounts.confirmPhone", { verifyCode }))).toEqual([
      "INVALID_INPUT",
      "Invalid or expired OTP",
    ]);
  });

  test("must have ten digits, and must be new and not used by another account", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { student: other } = await signedInStudent(store);
    const ask = async (phone: string) =>
      refusal(await visitor.mutate("accounts.requestPhoneCode", { phone }));
    expect(await ask("98765")).toEqual(["INVALID_INPUT", "Phone number should be a 10-digit number"]);
    expect(await ask(student.phone)).toEqual(["INVALID_INPUT", "This is already your mobile number"]);
    expect(await ask(other.phone)).toEqual(["CONFLICT", "An account with this mobile number already exists"]);
  });

  test("is refused if another account has taken it meanwhile, unless that sign-up was never verified", async () => {
    const { visitor, student } = await signedInStudent(store);
    const taken = await askForPhone(visitor, student.email);
    const { visitor: quicker, student: other } = await signedInStudent(store);
    const same = await askForPhone(quicker, other.email, taken.phone);
    expect((await quicker.mutate("accounts.confirmPhone", same)).status).toBe(200);
    expect(refusal(await visitor.mutate("accounts.confirmPhone", taken))).toEqual([
      "CONFLICT",
      "An account with this mobile number already exists",
    ]);

    const free = await askForPhone(visitor, student.email);
    const unverified = { ...newStudent(), phone: free.phone };
    await register(store.visitor(), unverified);
    expect((await visitor.mutate("accounts.confirmPhone", free)).status).toBe(200);
    expect(await me(visitor)).toMatchObject({ phone: free.phone });
  });

  test("must be confirmed within 10 minutes", async () => {
    const { visitor, student } = await signedInStudent(store);
    const inTime = await askForPhone(visitor, student.email);
    store.clock.advance({ minutes: 10, ms: -1 });
    expect((await visitor.mutate("accounts.confirmPhone", inTime)).status).toBe(200);

    const late = await askForPhone(visitor, student.email);
    store.clock.advance({ minutes: 10 });
    expect(refusal(await visitor.mutate("accounts.confirmPhone", late))[1]).toBe("Invalid or expired OTP");
    expect((await me(visitor)).phone).toBe(inTime.phone);
  });

  test("allows five tries per code, and a new code replaces the old code and number", async () => {
    const { visitor, student } = await signedInStudent(store);
    const first = await askForPhone(visitor, student.email);
    const second = await askForPhone(visitor, student.email);
    if (first.verifyCode !== second.verifyCode) {
      expect((await visitor.mutate("accounts.confirmPhone", first)).status).toBe(422);
    }
    const wrong = { verifyCode: otherThan(second.verifyCode) };
    for (let tries = 1; tries < 4; tries++) await visitor.mutate("accounts.confirmPhone", wrong);
    expect((await visitor.mutate("accounts.confirmPhone", second)).status).toBe(200);
    expect((await me(visitor)).phone).toBe(second.phone);

    const spent = await askForPhone(visitor, student.email);
    const guess = { verifyCode: otherThan(spent.verifyCode) };
    for (let tries = 0; tries < 5; tries++) await visitor.mutate("accounts.confirmPhone", guess);
    expect((await visitor.mutate("accounts.confirmPhone", spent)).status).toBe(422);
    expect((await me(visitor)).phone).toBe(second.phone);
  });

  test("is confirmed by a code of six digits, each of which may be zero", async () => {
    const { visitor } = await signedInStudent(store);
    const { _id: userId } = await me(visitor);
    const codes = await transact(store.deps.db, async (trx) => {
      const issued: string[] = [];
      for (let times = 0; times < 200; times++)
        issued.push(await issueCode(trx, store.deps, { userId, purpose: "phone" }));
      return issued;
    });
    expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
    expect(new Set(codes.map((code) => code[0])).size).toBe(10);
  });

  test("cannot be changed with another user's code", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { visitor: stranger } = await signedInStudent(store);
    const { verifyCode } = await askForPhone(visitor, student.email);
    expect((await stranger.mutate("accounts.confirmPhone", { verifyCode })).status).toBe(422);
    expect((await stranger.mutate("accounts.requestPhoneCode", { phone: student.phone })).status).toBe(409);
  });
});

describe("the e-mail", () => {
  const fresh = () => newStudent().email;

  /** Requests a code for a new e-mail; returns both. */
  async function askForEmail(visitor: ApiClient, { password }: { password: string }, email = fresh()) {
    // The newest mail is found by its time.
    store.clock.advance({ seconds: 1 });
    expectDone(await visitor.mutate("accounts.requestEmailCode", { email, password }));
    return { email, verifyCode: await newestCode(store, email) };
  }

  test("changes once the code mailed to the new one is entered, which both are told; other sessions, codes and links end", async () => {
    const { visitor, student } = await signedInStudent(store);
    const elsewhere = await visitorAs(store, student);
    const { email, verifyCode } = await askForEmail(visitor, student);
    expect((await me(visitor)).email).toBe(student.email);
    await visitor.mutate("accounts.requestPasswordLink", { email: student.email });

    expect(expectDone(await visitor.mutate("accounts.confirmEmail", { verifyCode }))).toMatchObject({
      email,
    });
    expect(await me(visitor)).toMatchObject({ email, fullName: student.fullName });
    expect(await me(elsewhere)).toBeNull();
    const left = await mailsTo(store, student.email);
    expect(left.map(({ kind, subject, text }) => [kind, subject, text.includes(email)])).toEqual([
      ["account-email-left", "Your Print Store account has another email now", false],
    ]);
    const changed = (await mailsTo(store, email)).find(({ kind }) => kind === "account-email-changed");
    for (const [mail, sentence] of [
      [left[0], "You can no longer log in with this one."],
      [changed, "Your account uses this email from now on: you log in with it"],
    ] as const) {
      expect(mail?.text.replaceAll(/\s+/g, " ")).toContain(sentence);
      expect(mail?.text).toContain(`${store.url}/contact-us\n`);
    }
    const rows = async (table: "one_time_codes" | "password_resets") =>
      (
        await store.deps.readDb
          .selectFrom(table)
          .innerJoin("users", "users.id", `${table}.user_id`)
          .select("users.id")
          .where("users.email", "=", email)
          .execute()
      ).length;
    expect([await rows("one_time_codes"), await rows("password_resets")]).toEqual([0, 0]);
    const login = async (as: string) =>
      (await store.visitor().post("/api/v1/users/login", { email: as, password: student.password })).status;
    expect([await login(student.email), await login(email)]).toEqual([401, 200]);
    expect((await visitor.mutate("accounts.confirmEmail", { verifyCode })).status).toBe(422);
  });

  test("takes along the mails, orders and messages of its owner, and nobody else's", async () => {
    const [shopId] = await shopIds(store);
    const { visitor, student } = await signedInStudent(store);
    const order = await placeAnother(visitor, student, shopId);
    const message = { fullName: "Any", subject: "", message: "Hello" };
    await visitor.mutate("contact.send", { ...message, email: student.email });
    const other = await signedInStudent(store);
    await other.visitor.mutate("contact.send", { ...message, email: other.student.email });
    const others = await placeAnother(other.visitor, other.student, shopId);

    const { email, verifyCode } = await askForEmail(visitor, student);
    expectDone(await visitor.mutate("accounts.confirmEmail", { verifyCode }));
    const { db } = store.deps;
    const emailOf = async ({ id }: { id: string }) =>
      (await db.selectFrom("orders").select("user_email").where("id", "=", id).executeTakeFirstOrThrow())
        .user_email;
    expect([await emailOf(order), await emailOf(others)]).toEqual([email, other.student.email]);
    const senders = (await db.selectFrom("contact_messages").select("email").execute()).map(
      (row) => row.email,
    );
    expect(senders).toContain(email);
    expect(senders).toContain(other.student.email);
    expect(senders).not.toContain(student.email);
    expect((await mailsTo(store, email)).map(({ kind }) => kind)).toContain("order-student");
    const left = await store.deps.db
      .selectFrom("outbox")
      .select("kind")
      .where((eb) => eb.or([eb("recipient", "=", student.email), eb("reply_to", "=", student.email)]))
      .execute();
    expect(left).toEqual([{ kind: "account-email-left" }]);
    expect((await mailsTo(store, other.student.email)).map(({ kind }) => kind)).toContain("order-student");
  });

  test("needs the password, a valid address, and one that no other account has", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { student: other } = await signedInStudent(store);
    const ask = async (email: string, password = student.password) =>
      refusal(await visitor.mutate("accounts.requestEmailCode", { email, password }));
    expect(await ask("nobody")).toEqual(["INVALID_INPUT", "Email address must be a valid address"]);
    expect(await ask(student.email.toUpperCase())).toEqual(["INVALID_INPUT", "This is already your email"]);
    const wanted = fresh();
    expect(await ask(wanted, "a guess")).toEqual(["INVALID_INPUT", "This is not your current password"]);
    expect(await ask(other.email)).toEqual(["CONFLICT", "An account with this email already exists"]);
    expect([await mailsTo(store, wanted), (await me(visitor)).email]).toEqual([[], student.email]);
  });

  test("is refused if another account has taken it meanwhile, unless that sign-up was never verified", async () => {
    const { visitor, student } = await signedInStudent(store);
    const taken = await askForEmail(visitor, student);
    const quicker = await signedInStudent(store);
    const same = await askForEmail(quicker.visitor, quicker.student, taken.email);
    expectDone(await quicker.visitor.mutate("accounts.confirmEmail", same));
    expect(refusal(await visitor.mutate("accounts.confirmEmail", taken))).toEqual([
      "CONFLICT",
      "An account with this email already exists",
    ]);

    const free = await askForEmail(visitor, student);
    await register(store.visitor(), { ...newStudent(), email: free.email });
    expectDone(await visitor.mutate("accounts.confirmEmail", free));
    expect(await me(visitor)).toMatchObject({ email: free.email });
  });

  test("must be confirmed within 10 minutes, by the last code, and not by one for a phone", async () => {
    const { visitor, student } = await signedInStudent(store);
    const late = await askForEmail(visitor, student);
    store.clock.advance({ minutes: 10 });
    expect(refusal(await visitor.mutate("accounts.confirmEmail", late))[1]).toBe("Invalid or expired OTP");
    const first = await askForEmail(visitor, student);
    const second = await askForEmail(visitor, student);
    if (first.verifyCode !== second.verifyCode) {
      expect((await visitor.mutate("accounts.confirmEmail", first)).status).toBe(422);
    }
    const phone = await askForPhone(visitor, student.email);
    if (phone.verifyCode !== second.verifyCode) {
      expect((await visitor.mutate("accounts.confirmEmail", phone)).status).toBe(422);
    }
    store.clock.advance({ minutes: 9, seconds: 58, ms: 999 });
    expectDone(await visitor.mutate("accounts.confirmEmail", second));
    expect((await me(visitor)).email).toBe(second.email);
  });

  test("cannot be used to flood a stranger's mailbox", async () => {
    const limited = await tempStore({ RATE_LIMIT_SCALE: "1" });
    const victim = fresh();
    const answers: string[] = [];
    for (let person = 0; person < 5; person++) {
      const { visitor, student } = await signedInStudent(limited);
      for (let time = 0; time < 6; time++) {
        const { body } = await visitor.mutate("accounts.requestEmailCode", {
          email: victim,
          password: student.password,
        });
        answers.push(body.error?.data.appCode ?? "sent");
      }
    }
    // Five for each session, and twenty-one in all for one address.
    expect(answers.filter((answer) => answer === "sent")).toHaveLength(21);
    expect(new Set(answers)).toEqual(new Set(["sent", "RATE_LIMITED"]));
    expect(await mailsTo(limited, victim)).toHaveLength(21);
  });
});

describe("the password", () => {
  const NEW = { password: "a staple and a clip", confirmpassword: "a staple and a clip" };

  test("changes with the current one, ends other sessions, renews the token of this one and sends a mail", async () => {
    const { visitor, student } = await signedInStudent(store);
    const phone = await visitorAs(store, student);
    store.clock.advance({ seconds: 1 });
    await store.visitor().post("/api/v1/users/fpmail", { email: student.email });
    const [recovery] = await mailsTo(store, student.email);
    const token = /token=([\w-]+)/.exec(recovery?.text ?? "")?.[1];
    const cookie = visitor.cookieHeader;
    store.clock.advance({ seconds: 1 });

    const { status, body } = await visitor.mutate("accounts.changePassword", {
      currentPassword: student.password,
      ...NEW,
    });
    expect([status, body.result.data.email]).toEqual([200, student.email]);
    expect(visitor.cookieHeader).not.toBe(cookie);
    expect(await me(visitor)).toMatchObject({ email: student.email });
    expect(await me(phone)).toBeNull();
    const old = await fetch(new URL("/api/v1/users/getuser", store.url), { headers: { Cookie: cookie } });
    expect(old.status).toBe(401);

    const [mail] = await mailsTo(store, student.email);
    expect(mail).toMatchObject({ subject: "Your Print Store password was changed", secret: 0 });
    expect(mail?.text).toContain("/forgotpassword");

    const login = (password: string) =>
      store.visitor().post("/api/v1/users/login", { email: student.email, password });
    expect((await login(student.password)).status).toBe(401);
    expect((await login(NEW.password)).status).toBe(200);
    const reset = await store.visitor().post("/api/v1/users/reset-password", { token, ...NEW });
    expect(reset.body.message).toBe("This link is no longer valid. Please ask for a new one");
  });

  test("is not changed with a wrong current password or two different new ones", async () => {
    const { visitor, student } = await signedInStudent(store);
    const change = async (input: object) => refusal(await visitor.mutate("accounts.changePassword", input));
    expect(await change({ currentPassword: "a guess", ...NEW })).toEqual([
      "INVALID_INPUT",
      "This is not your current password",
    ]);
    expect(await change({ currentPassword: student.password, ...NEW, confirmpassword: "another" })).toEqual([
      "INVALID_INPUT",
      "New password and Confirm Password should be the same",
    ]);
    expect(await change(NEW)).toEqual(["INVALID_INPUT", "Password is required"]);
    expect((await mailsTo(store, student.email)).map(({ kind }) => kind)).not.toContain(
      "account-password-changed",
    );
    expect((await store.visitor().post("/api/v1/users/login", student)).status).toBe(200);
  });
});

test("somebody who has no password yet is told how to choose one", async () => {
  const student = newStudent();
  await register(store.visitor(), student);
  store.clock.advance({ seconds: 1 });
  const visitor = store.visitor();
  await visitor.post("/api/v1/users/generate-otp-for-login", { email: student.email });
  const verifyCode = await newestCode(store, student.email);
  await visitor.post("/api/v1/users/login-with-otp", { verifyCode, email: student.email });
  const chosen = { password: "a staple and a clip", confirmpassword: "a staple and a clip" };
  for (const [call, path, input] of [
    ["accounts.changePassword", "currentPassword", { currentPassword: "a guess", ...chosen }],
    ["privacy.deleteAccount", "password", { password: "a guess" }],
  ] as const) {
    const answer = await visitor.mutate(call, input);
    const message =
      "You have no password yet. Log out, then choose one with 'Forgot Password' on the login page";
    expect([call, refusal(answer), answer.body.error.data.issues]).toEqual([
      call,
      ["INVALID_INPUT", message],
      [{ path, message }],
    ]);
  }
});

describe("limits", () => {
  const limited = testStore({ RATE_LIMIT_SCALE: "1" });

  test("the current password may be guessed ten times, and the right one resets the count", async () => {
    const { visitor, student } = await signedInStudent(limited);
    const guess = (currentPassword: string) =>
      visitor.mutate("accounts.changePassword", {
        currentPassword,
        password: student.password,
        confirmpassword: student.password,
      });
    for (let tries = 0; tries < 9; tries++) expect((await guess("a guess")).status).toBe(422);
    expect((await guess(student.password)).status).toBe(200);
    for (let tries = 0; tries < 10; tries++) expect((await guess("a guess")).status).toBe(422);
    expect((await guess(student.password)).status).toBe(429);
  });

  test("codes for one new e-mail may be tried twenty times a day, in whatever session and account", async () => {
    const { email } = newStudent();
    const ask = async (visitor: ApiClient, password: string) =>
      visitor.mutate("accounts.requestEmailCode", { email, password });
    const enter = (visitor: ApiClient, verifyCode: string) =>
      visitor.mutate("accounts.confirmEmail", { verifyCode });
    for (let codes = 0; codes < 4; codes++) {
      const { visitor, student } = await signedInStudent(limited);
      await ask(visitor, student.password);
      for (let tries = 0; tries < 5; tries++) expect((await enter(visitor, "none")).status).toBe(422);
      limited.clock.advance({ seconds: 1 });
    }
    const { visitor, student } = await signedInStudent(limited);
    const refused = await ask(visitor, student.password);
    expect([refused.status, refused.body.error.message]).toEqual([
      429,
      "Too many wrong codes were entered for this email. Please try again tomorrow",
    ]);
    limited.clock.advance({ days: 1 });
    await logIn(visitor, student);
    expect((await ask(visitor, student.password)).status).toBe(200);
    expect((await enter(visitor, await newestCode(limited, email))).status).toBe(200);
  });

  test("codes for a new number may be requested five times in 15 minutes and tried twenty times", async () => {
    const { visitor, student } = await signedInStudent(limited);
    for (let sends = 0; sends < 5; sends++) {
      const { phone } = newStudent();
      expect((await visitor.mutate("accounts.requestPhoneCode", { phone })).status).toBe(200);
    }
    const { phone } = newStudent();
    const again = await visitorAs(limited, student);
    for (const session of [visitor, again])
      expect((await session.mutate("accounts.requestPhoneCode", { phone })).status).toBe(429);
    const tries = await Promise.all(
      Array.from({ length: 21 }, () => visitor.mutate("accounts.confirmPhone", { verifyCode: "none" })),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([...Array(20).fill(422), 429]);
  });
});
