import { beforeAll, describe, expect, test } from "vitest";
import { ensureAdmin } from "#server/accounts/admin.service.ts";
import { mailsTo } from "../factories/mails.ts";
import { invitationToken, shopIds, signedInAdmin } from "../factories/staff.ts";
import {
  cheapHash,
  newestCode,
  newStudent,
  register,
  type Student,
  signedInStudent,
} from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempStore, testStore } from "../setup/test-store.ts";

const store = testStore();
beforeAll(async () => {
  store.deps.minimumAnswerMs = 0;
});

const login = (student: Pick<Student, "email" | "password">, visitor = store.visitor()) =>
  visitor.post("/api/v1/users/login", { email: student.email, password: student.password });
/** Like a browser, which sends an Origin header. */
const verify = (visitor: ApiClient, verifyCode: string, { phone }: Pick<Student, "phone">) =>
  visitor.post("/api/v1/users/verify-account", { verifyCode, phone }, { Origin: store.url });

/** A stranger signs up with this e-mail and with their own password, name and phone. */
async function strangerSignsUpWith(victim: Student, change: Partial<Student> = {}) {
  const stranger = {
    ...newStudent(),
    fullName: "Mallory",
    email: victim.email,
    password: "the stranger's own",
    termsAccepted: true,
    ...change,
  };
  const visitor = store.visitor();
  expect((await register(visitor, stranger)).status).toBe(200);
  store.clock.advance({ seconds: 1 });
  return { stranger, visitor };
}

async function askForLoginCode({ email }: Student, visitor = store.visitor()): Promise<string> {
  store.clock.advance({ seconds: 1 });
  await visitor.post("/api/v1/users/generate-otp-for-login", { email });
  const code = await newestCode(store, email);
  store.clock.advance({ seconds: 1 });
  return code;
}

/** A six-digit code different from this one. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

async function askForLink({ email }: Student): Promise<string> {
  store.clock.advance({ seconds: 1 });
  await store.visitor().post("/api/v1/users/fpmail", { email });
  const [mail] = await mailsTo(store, email);
  store.clock.advance({ seconds: 1 });
  return /reset-password\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
}

const reset = (token: string, password: string, visitor = store.visitor()) =>
  visitor.post("/api/v1/users/reset-password", { token, password, confirmpassword: password });

/** Fails if anything of the stranger's sign-up opens or is part of the victim's account. */
async function expectNothingLeftOf(stranger: Student, signUpCode: string): Promise<void> {
  const refused = await login(stranger);
  expect([refused.status, refused.body.message]).toEqual([401, "Invalid email or password"]);
  expect((await verify(store.visitor(), signUpCode, stranger)).status).toBe(401);
  expect((await login(stranger)).status).toBe(401);
  const byPhone = { verifyCode: await askForLoginCode(stranger), phone: stranger.phone };
  expect((await store.visitor().post("/api/v1/users/login-with-otp", byPhone)).status).toBe(401);
  const row = store.deps.readDb.selectFrom("users").selectAll().where("email", "=", stranger.email);
  const account = await row.executeTakeFirstOrThrow();
  expect(JSON.stringify(account)).not.toContain(stranger.phone);
  expect(account.full_name).not.toBe(stranger.fullName);
  expect(account.terms_accepted_at).toBeNull();
  expect((await register(store.visitor(), { ...newStudent(), phone: stranger.phone })).status).toBe(200);
}

describe("proving an address removes a stranger's earlier sign-up with it:", () => {
  test("with a login code", async () => {
    const victim = newStudent();
    const { stranger } = await strangerSignsUpWith(victim);
    const signUpCode = await newestCode(store, victim.email);
    const visitor = store.visitor();
    const verifyCode = await askForLoginCode(victim, visitor);
    const [mail] = await mailsTo(store, victim.email);
    expect(mail?.text.replaceAll(/\s+/g, " ")).toContain(
      "the password, name and mobile number from that sign-up are removed",
    );
    const entered = await visitor.post("/api/v1/users/login-with-otp", { verifyCode, email: victim.email });
    expect([entered.status, entered.body.data]).toMatchObject([
      200,
      { email: victim.email, phone: "", fullName: victim.email.split("@")[0] },
    ]);
    await expectNothingLeftOf(stranger, signUpCode);
  });

  test("with a recovery link", async () => {
    const victim = newStudent();
    const { stranger } = await strangerSignsUpWith(victim);
    const signUpCode = await newestCode(store, victim.email);
    expect((await reset(await askForLink(victim), "the victim's choice")).status).toBe(200);
    await expectNothingLeftOf(stranger, signUpCode);
    const entered = await login({ ...victim, password: "the victim's choice" });
    expect(entered.body.data).toMatchObject({ email: victim.email, phone: "" });
  });

  test("with the code of one's own later sign-up", async () => {
    const victim = newStudent();
    const { stranger } = await strangerSignsUpWith(victim);
    const signUpCode = await newestCode(store, victim.email);
    const link = await askForLink(victim);
    const loginCode = await askForLoginCode(victim);
    const visitor = store.visitor();
    await register(visitor, victim);
    store.clock.advance({ seconds: 1 });
    const own = await newestCode(store, victim.email);
    expect((await verify(visitor, own, victim)).status).toBe(200);
    expect((await login(victim)).body.data).toMatchObject({ phone: victim.phone, fullName: victim.fullName });
    for (const code of [signUpCode, loginCode]) {
      const body = { verifyCode: code, email: victim.email };
      expect((await store.visitor().post("/api/v1/users/login-with-otp", body)).status).toBe(401);
    }
    expect((await reset(link, "another password")).status).toBe(422);
    await expectNothingLeftOf(stranger, signUpCode);
  });

  test("with an invitation to the staff", async () => {
    const victim = newStudent();
    const { stranger } = await strangerSignsUpWith(victim);
    const signUpCode = await newestCode(store, victim.email);
    const admin = await signedInAdmin(store);
    const [shopId] = await shopIds(store);
    await admin.visitor.mutate("staff.invite", { email: victim.email, role: "owner", shopIds: [shopId] });
    const account = {
      fullName: victim.fullName,
      phone: victim.phone,
      password: "a staple and a clip",
      confirmpassword: "a staple and a clip",
    };
    const token = await invitationToken(store, victim.email);
    expect((await store.visitor().mutate("staff.accept", { token, account })).status).toBe(200);
    await expectNothingLeftOf(stranger, signUpCode);
  });

  test("when the operator makes it the admin's", async () => {
    const victim = newStudent();
    const { stranger } = await strangerSignsUpWith(victim);
    const signUpCode = await newestCode(store, victim.email);
    await ensureAdmin(store.deps, { email: victim.email, password: "the operator's choice" });
    await expectNothingLeftOf(stranger, signUpCode);
    const entered = await login({ ...victim, password: "the operator's choice" });
    expect(entered.body.data).toMatchObject({ role: "admin", fullName: "Store admin", phone: "" });
  });
});

describe("a newer sign-up with the same e-mail", () => {
  test("cancels the earlier one and its code", async () => {
    const victim = newStudent();
    const browser = store.visitor();
    await register(browser, victim);
    const first = await newestCode(store, victim.email);
    store.clock.advance({ seconds: 1 });
    const { stranger } = await strangerSignsUpWith(victim, { phone: victim.phone });
    expect((await verify(browser, first, victim)).status).toBe(401);
    expect((await login(stranger)).body.code).toBe("ACCOUNT_NOT_VERIFIED");
  });

  test("is verified without its password in the browser of the earlier sign-up", async () => {
    const victim = newStudent();
    const browser = store.visitor();
    await register(browser, victim);
    store.clock.advance({ seconds: 1 });
    const { stranger } = await strangerSignsUpWith(victim, { phone: victim.phone });
    const newest = await newestCode(store, victim.email);
    await expectPasswordToChoose(browser, newest, { owner: victim, stranger });
  });

  test("is verified without its password in a browser without any sign-up", async () => {
    const victim = newStudent();
    await register(store.visitor(), victim);
    store.clock.advance({ seconds: 1 });
    const { stranger } = await strangerSignsUpWith(victim, { phone: victim.phone });
    const newest = await newestCode(store, victim.email);
    await expectPasswordToChoose(store.visitor(), newest, { owner: victim, stranger });
  });

  test("with another phone number is mentioned when its code is entered in the earlier browser", async () => {
    const victim = newStudent();
    const browser = store.visitor();
    await register(browser, victim);
    store.clock.advance({ seconds: 1 });
    await strangerSignsUpWith(victim);
    const refused = await verify(browser, await newestCode(store, victim.email), victim);
    expect([refused.status, refused.body.message]).toEqual([
      401,
      "Invalid or expired OTP. There is a newer sign-up with your email or mobile number: enter its code, sign up again, or log in with an OTP",
    ]);
    const code = await askForLoginCode(victim, browser);
    const byCode = { verifyCode: code, email: victim.email };
    expect((await browser.post("/api/v1/users/login-with-otp", byCode)).status).toBe(200);
  });
});

/** The code proves the address; no password is taken over, and the person at this browser chooses one. */
async function expectPasswordToChoose(
  browser: ApiClient,
  code: string,
  { owner, stranger }: { owner: Student; stranger: Student },
) {
  const verified = await verify(browser, code, owner);
  expect([verified.status, verified.body.data]).toEqual([
    200,
    { phone: owner.phone, passwordToken: expect.stringMatching(/^[\w-]{43}$/) },
  ]);
  expect((await login(stranger)).status).toBe(401);
  expect((await login(owner)).status).toBe(401);
  expect((await reset(verified.body.data.passwordToken, "the owner's choice")).status).toBe(200);
  expect((await login({ ...owner, password: "the owner's choice" })).status).toBe(200);
  expect((await login(stranger)).status).toBe(401);
}

describe("a verification code", () => {
  test("keeps the password if entered in the browser that signed up, or in one that has entered that password", async () => {
    for (const isElsewhere of [false, true]) {
      const student = newStudent();
      const browser = store.visitor();
      await register(isElsewhere ? store.visitor() : browser, student);
      store.clock.advance({ seconds: 1 });
      if (isElsewhere) expect((await login(student, browser)).body.code).toBe("ACCOUNT_NOT_VERIFIED");
      const verified = await verify(browser, await newestCode(store, student.email), student);
      expect([verified.status, verified.body.data]).toEqual([200, { phone: student.phone }]);
      expect((await login(student)).body.data).toMatchObject({ fullName: student.fullName });
    }
  });

  test("recognizes the browser that signed up for 24 hours", async () => {
    const registered = await register(store.visitor(), newStudent());
    const [cookie] = registered.headers.getSetCookie().filter((each) => each.startsWith("signup="));
    const tomorrow = new Date(store.clock.now().getTime() + 24 * 60 * 60_000).toUTCString();
    expect(cookie).toContain(`; Expires=${tomorrow}; HttpOnly`);
  });

  test("does not keep a stranger's password, even if nobody else has signed up", async () => {
    const owner = newStudent();
    const { stranger } = await strangerSignsUpWith(owner, { phone: owner.phone });
    await expectPasswordToChoose(store.visitor(), await newestCode(store, owner.email), { owner, stranger });
  });

  test("leads to a new password if the latest sign-up was made in another browser", async () => {
    const student = newStudent();
    const phone = store.visitor();
    await register(phone, student);
    store.clock.advance({ seconds: 1 });
    await register(store.visitor(), { ...student, password: "another one" });
    const stranger = { ...student, password: "another one" };
    await expectPasswordToChoose(phone, await newestCode(store, student.email), { owner: student, stranger });
  });

  test("keeps the password for a client without a browser's Origin header", async () => {
    const student = newStudent();
    await register(store.visitor(), student);
    const verifyCode = await newestCode(store, student.email);
    const body = { verifyCode, phone: student.phone };
    expect((await store.visitor().post("/api/v1/users/verify-account", body)).body.data).toEqual({
      phone: student.phone,
    });
    expect((await login(student)).status).toBe(200);
  });
});

test("strangers who enter wrong codes do not block the browser that signed up", async () => {
  const limited = await tempStore({ RATE_LIMIT_SCALE: "1", SEED_DEMO: "false" });
  const student = newStudent();
  const browser = limited.visitor();
  await register(browser, student);
  const enter = (verifyCode: string, visitor = limited.visitor()) =>
    visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
  for (let tries = 0; tries < 10; tries++) await enter("none");
  expect((await enter("none")).status).toBe(429);
  limited.clock.advance({ seconds: 1 });
  await browser.mutate("accounts.resendVerification", { phone: student.phone });
  expect((await enter(await newestCode(limited, student.email), browser)).status).toBe(200);
});

describe("other sessions, login codes and recovery links", () => {
  /** Another session, a login code and a recovery link. */
  async function underWay(student: Student) {
    const elsewhere = store.visitor();
    await login(student, elsewhere);
    return { elsewhere, code: await askForLoginCode(student), link: await askForLink(student) };
  }

  async function expectEnded(
    student: Student,
    { elsewhere, code, link }: Awaited<ReturnType<typeof underWay>>,
  ) {
    expect((await elsewhere.get("/api/v1/users/getuser")).status).toBe(401);
    const byCode = { verifyCode: code, email: student.email };
    expect((await store.visitor().post("/api/v1/users/login-with-otp", byCode)).status).toBe(401);
    const refused = await reset(link, "whoever had the link");
    expect(refused.body.message).toBe("This link is no longer valid. Please ask for a new one");
  }

  test("end when the password is changed", async () => {
    const { visitor, student } = await signedInStudent(store);
    const before = await underWay(student);
    const change = { currentPassword: student.password, password: "a clip", confirmpassword: "a clip" };
    expect((await visitor.mutate("accounts.changePassword", change)).status).toBe(200);
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(200);
    await expectEnded(student, before);
  });

  test("end when the password is reset by a link", async () => {
    const { visitor, student } = await signedInStudent(store);
    const before = await underWay(student);
    expect((await reset(before.link, "a new password")).status).toBe(200);
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(401);
    await expectEnded(student, before);
  });

  test("end when the phone number changes, except for the session that confirmed it", async () => {
    const { visitor, student } = await signedInStudent(store);
    const before = await underWay(student);
    await visitor.mutate("accounts.requestPhoneCode", { phone: newStudent().phone });
    const verifyCode = await newestCode(store, student.email);
    expect((await visitor.mutate("accounts.confirmPhone", { verifyCode })).status).toBe(200);
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(200);
    await expectEnded(student, before);
  });

  test("end when the account is deleted, and do not open a new account with the same e-mail", async () => {
    const { visitor, student } = await signedInStudent(store);
    const before = await underWay(student);
    const { password } = student;
    expect((await visitor.mutate("privacy.deleteAccount", { password })).status).toBe(200);
    store.clock.advance({ seconds: 1 });
    await register(store.visitor(), { ...student, password: "the next one's password" });
    await verify(store.visitor(), await newestCode(store, student.email), student);
    await expectEnded(student, before);
    expect((await login(student)).status).toBe(401);
  });

  test("end when a student joins the staff", async () => {
    const { student } = await signedInStudent(store);
    const before = await underWay(student);
    const admin = await signedInAdmin(store);
    const [shopId] = await shopIds(store);
    await admin.visitor.mutate("staff.invite", { email: student.email, role: "owner", shopIds: [shopId] });
    const token = await invitationToken(store, student.email);
    const newPassword = { password: "a staple and a clip", confirmpassword: "a staple and a clip" };
    expect((await store.visitor().mutate("staff.accept", { token, newPassword })).status).toBe(200);
    await expectEnded(student, before);
  });

  test("end when the operator makes the account an admin", async () => {
    const { student } = await signedInStudent(store);
    const before = await underWay(student);
    await ensureAdmin(store.deps, { email: student.email, password: "the operator's choice" });
    await expectEnded(student, before);
  });

  test("end in a browser where somebody else's link is used, also for whoever has a copy of its cookies", async () => {
    const { visitor, student } = await signedInStudent(store);
    const [copy, elsewhere] = [visitor.at(store), store.visitor()];
    await login(student, elsewhere);
    const { student: other } = await signedInStudent(store);
    expect((await reset(await askForLink(other), "a new password", visitor)).status).toBe(200);
    expect((await copy.get("/api/v1/users/getuser")).status).toBe(401);
    expect((await elsewhere.get("/api/v1/users/getuser")).status).toBe(200);
  });

  test("of everybody else stay, whatever somebody does to their own account", async () => {
    const { student: other } = await signedInStudent(store);
    const theirs = await underWay(other);

    const { visitor, student } = await signedInStudent(store);
    store.clock.advance({ seconds: 1 });
    await visitor.mutate("accounts.requestPhoneCode", { phone: newStudent().phone });
    const verifyCode = await newestCode(store, student.email);
    const [password, chosen] = ["a clip", "a clip and a staple"];
    const done = [
      await visitor.mutate("accounts.confirmPhone", { verifyCode }),
      await visitor.mutate("accounts.changePassword", {
        currentPassword: student.password,
        password,
        confirmpassword: password,
      }),
      await reset(await askForLink(student), chosen),
      await login({ ...student, password: chosen }, visitor),
      await visitor.mutate("privacy.deleteAccount", { password: chosen }),
    ];
    expect(done.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

    expect((await theirs.elsewhere.get("/api/v1/users/getuser")).status).toBe(200);
    const byCode = { verifyCode: theirs.code, email: other.email };
    expect((await store.visitor().post("/api/v1/users/login-with-otp", byCode)).status).toBe(200);
    expect((await reset(theirs.link, "their new password")).status).toBe(200);
  });
});

test("a login code and the code of a new phone number have five tries each", async () => {
  const { visitor, student } = await signedInStudent(store);
  const phone = newStudent().phone;
  store.clock.advance({ seconds: 1 });
  await visitor.mutate("accounts.requestPhoneCode", { phone });
  const phoneCode = await newestCode(store, student.email);
  const loginCode = await askForLoginCode(student);
  const enter = (verifyCode: string) =>
    store.visitor().post("/api/v1/users/login-with-otp", { verifyCode, email: student.email });
  for (let tries = 0; tries < 5; tries++)
    await visitor.mutate("accounts.confirmPhone", { verifyCode: otherThan(phoneCode) });
  expect((await enter(loginCode)).status).toBe(200);

  await visitor.mutate("accounts.requestPhoneCode", { phone });
  const secondCode = await newestCode(store, student.email);
  await askForLoginCode(student);
  for (let tries = 0; tries < 5; tries++) await enter("no code");
  expect((await visitor.mutate("accounts.confirmPhone", { verifyCode: secondCode })).status).toBe(200);
});

test("the session of a deleted account opens nothing, even if it was made while the account was deleted", async () => {
  const { visitor, student } = await signedInStudent(store);
  const { body } = await visitor.get("/api/v1/users/getuser");
  await visitor.mutate("privacy.deleteAccount", { password: student.password });
  const { token } = await store.deps.sessions.create(body.data, "", { isConfirmed: true, isShared: false });
  expect(await store.deps.sessions.resolve(token, true)).toBeNull();
});

test("passwords set in any of these ways are stored as argon2id with the recommended parameters", async () => {
  const users = await store.deps.readDb.selectFrom("users").select(["role", "password_hash"]).execute();
  const ofFactory = ["", await cheapHash()];
  const kept = users.filter(({ password_hash }) => !ofFactory.includes(password_hash));
  expect(new Set(kept.map(({ role }) => role))).toEqual(new Set(["customer", "owner", "admin"]));
  for (const { password_hash } of kept) expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
