import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { mailsTo } from "../factories/mails.ts";
import { newestCode, newStudent, register, signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
beforeAll(async () => {
  store.deps.minimumAnswerMs = 0;
});

describe("POST /users/register", () => {
  test("creates an account and answers with its phone", async () => {
    const student = newStudent();
    const answer = await register(store.visitor(), student);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      success: true,
      data: { phone: student.phone, email: student.email },
    });
  });

  test("ignores a role or a verified flag in the request", async () => {
    const student = newStudent();
    const wish = {
      role: "admin",
      verified: true,
      verifiedAt: "2026-11-01T00:00:00.000Z",
      _id: "1",
      shopIds: ["1"],
    };
    const body = { ...student, confirmpassword: student.password, ...wish };
    expect((await store.visitor().post("/api/v1/users/register", body)).status).toBe(200);
    const account = store.deps.readDb.selectFrom("users").select(["role", "verified_at"]);
    expect(await account.where("email", "=", student.email).execute()).toEqual([
      { role: "customer", verified_at: null },
    ]);
    const verifyCode = await newestCode(store, student.email);
    const proof = { ...wish, verifyCode, phone: student.phone };
    await store.visitor().post("/api/v1/users/verify-account", proof);
    const login = await store.visitor().post("/api/v1/users/login", { ...wish, ...student });
    expect([login.status, login.body.data.role]).toEqual([200, "customer"]);
  });

  test("stores password and code only as hashes", async () => {
    const student = newStudent();
    await register(store.visitor(), student);
    const code = await newestCode(store, student.email);
    const user = await store.deps.readDb
      .selectFrom("users")
      .innerJoin("one_time_codes", "one_time_codes.user_id", "users.id")
      .select(["password_hash", "code_hash"])
      .where("email", "=", student.email)
      .executeTakeFirstOrThrow();
    expect(user.password_hash).toMatch(/^\$argon2id\$/);
    expect(user.code_hash).not.toContain(code);
  });

  test.each([
    ["phone", { phone: "12345" }, "Phone number should be a 10-digit number"],
    ["email", { email: "nobody" }, "Email address must be a valid address"],
    ["confirmpassword", { confirmpassword: "other" }, "New password and Confirm Password should be the same"],
    ["fullName", { fullName: "  " }, "Full name is required"],
    ["fullName", { fullName: "x".repeat(5000) }, "fullName: must be at most 200 characters long"],
    ["password", { password: "", confirmpassword: "" }, "Password is required"],
    ["email", { email: 5 }, "Email address must be a valid address"],
  ])("refuses an invalid %s with a clear message", async (path, change, message) => {
    const student = newStudent();
    const body = { ...student, confirmpassword: student.password, ...change };
    const answer = await store.visitor().post("/api/v1/users/register", body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ success: false, code: "INVALID_INPUT", message });
    expect(answer.body.issues[0].path).toBe(path);
    expect(await mailsTo(store, student.email)).toEqual([]);
  });

  test("refuses the e-mail or phone of a verified account", async () => {
    const { student } = await signedInStudent(store);
    const sameEmail = await register(store.visitor(), {
      ...newStudent(),
      email: student.email.toUpperCase(),
    });
    expect([sameEmail.status, sameEmail.body.message]).toEqual([
      409,
      "An account with this email already exists. Please log in",
    ]);
    const samePhone = await register(store.visitor(), { ...newStudent(), phone: student.phone });
    expect([samePhone.status, samePhone.body.message]).toEqual([
      409,
      "An account with this mobile number already exists. Please log in",
    ]);
  });

  test("lets an unverified sign-up be repeated", async () => {
    const student = newStudent();
    const visitor = store.visitor();
    await register(visitor, student);
    store.clock.advance({ seconds: 1 });
    expect((await register(visitor, { ...student, fullName: "Asha V." })).status).toBe(200);
    const verifyCode = await newestCode(store, student.email);
    const verified = await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
    expect(verified.status).toBe(200);
  });

  test("creates one account from two sign-ups at the same moment", async () => {
    const student = newStudent();
    await Promise.all([register(store.visitor(), student), register(store.visitor(), student)]);
    const rows = await store.deps.readDb
      .selectFrom("users")
      .select("id")
      .where("email", "=", student.email)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test("strips NUL characters from a name", async () => {
    const student = { ...newStudent(), fullName: "A\0sha" };
    expect((await register(store.visitor(), student)).body.data.fullName).toBe("Asha");
  });
});

describe("POST /users/verify-account", () => {
  async function signedUp() {
    const student = newStudent();
    const visitor = store.visitor();
    await register(visitor, student);
    const code = await newestCode(store, student.email);
    const verify = (verifyCode: unknown) =>
      visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
    return { student, visitor, code, verify };
  }
  const wrong = (code: string) => (code === "000000" ? "111111" : "000000");

  test("lets the account log in, and the browser forgets the sign-up", async () => {
    const { student, visitor, code, verify } = await signedUp();
    expect(visitor.cookie("signup")).not.toBe("");
    expect((await verify(code)).body).toMatchObject({ success: true });
    expect(visitor.cookie("signup")).toBe("");
    expect((await visitor.post("/api/v1/users/login", student)).status).toBe(200);
  });

  test("refuses a wrong code, and after five of them the right one", async () => {
    const { code, verify } = await signedUp();
    for (let attempt = 0; attempt < 5; attempt++) {
      const answer = await verify(wrong(code));
      expect([answer.status, answer.body.message]).toEqual([401, "Invalid or expired OTP"]);
    }
    expect((await verify(code)).status).toBe(401);

    const other = await signedUp();
    for (let attempt = 0; attempt < 4; attempt++) await other.verify(wrong(other.code));
    expect((await other.verify(other.code)).status).toBe(200);
  });

  test("refuses a code after 10 minutes", async () => {
    const [early, late] = [await signedUp(), await signedUp()];
    const until = new Date(store.clock.now().getTime() + 10 * 60_000);
    store.clock.set(new Date(until.getTime() - 1));
    expect((await early.verify(early.code)).status).toBe(200);
    store.clock.set(until);
    expect((await late.verify(late.code)).status).toBe(401);
  });

  test("refuses a used code", async () => {
    const { code, verify } = await signedUp();
    await verify(code);
    expect((await verify(code)).status).toBe(401);
  });

  test("is confirmed once more where the answer was lost on its way to the browser that signed up, and opens nothing", async () => {
    const { student, visitor, code, verify } = await signedUp();
    const withoutAnswer = visitor.at(store);
    await verify(code);
    const again = await withoutAnswer.post("/api/v1/users/verify-account", {
      verifyCode: code,
      phone: student.phone,
    });
    expect([again.status, again.body.data]).toEqual([200, { phone: student.phone }]);
    expect(withoutAnswer.cookie("signup")).toBe("");
    expect((await withoutAnswer.get("/api/v1/users/getuser")).status).toBe(401);
    const other = await signedUp();
    const body = { verifyCode: code, phone: student.phone };
    expect((await other.visitor.post("/api/v1/users/verify-account", body)).status).toBe(401);
  });

  test("refuses an old code after a new one was sent", async () => {
    const { student, visitor, code, verify } = await signedUp();
    store.clock.advance({ seconds: 1 });
    await visitor.mutate("accounts.resendVerification", { phone: student.phone });
    const newer = await newestCode(store, student.email);
    if (newer !== code) expect((await verify(code)).status).toBe(401);
    expect((await verify(newer)).status).toBe(200);
    // Who is verified is answered the same, and mailed nothing.
    const mails = async () => (await mailsTo(store, student.email)).length;
    const before = await mails();
    expect((await visitor.mutate("accounts.resendVerification", { phone: student.phone })).status).toBe(200);
    expect(await mails()).toBe(before);
  });

  test("answers an unknown phone like a wrong code", async () => {
    const { verify } = await signedUp();
    const wrongCode = await verify("abc");
    const unknown = await store
      .visitor()
      .post("/api/v1/users/verify-account", { verifyCode: "abc", phone: "1111111111" });
    expect([unknown.status, unknown.body]).toEqual([wrongCode.status, wrongCode.body]);
  });
});

describe("POST /users/login and GET /users/getuser", () => {
  test("set an HttpOnly SameSite cookie and answer with the user", async () => {
    const { student } = await signedInStudent(store);
    const visitor = store.visitor();
    const login = await visitor.post("/api/v1/users/login", student);
    const [cookie] = login.headers.getSetCookie();
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Lax/i);
    const me = await visitor.get("/api/v1/users/getuser");
    expect(me.body.data).toMatchObject({
      email: student.email,
      fullName: student.fullName,
      phone: student.phone,
    });
    expect(login.body.data).toEqual(me.body.data);
    const bodies = JSON.stringify([login.body, me.body]);
    for (const secret of ["argon2", visitor.cookie("session")]) expect(bodies).not.toContain(secret);
  });

  test("store only a hash of the session token", async () => {
    const { visitor } = await signedInStudent(store);
    const token = visitor.cookie("session");
    // 40 signs of 5 bits each.
    expect(token).toMatch(/^[a-z2-7]{40}$/);
    const rows = await store.deps.readDb.selectFrom("sessions").selectAll().execute();
    expect(rows.map(({ id }) => id)).toContain(createHash("sha256").update(token).digest("hex"));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("answer a wrong password and an unknown e-mail alike", async () => {
    const { student } = await signedInStudent(store);
    const wrong = await store.visitor().post("/api/v1/users/login", { ...student, password: "wrong" });
    const unknown = await store.visitor().post("/api/v1/users/login", newStudent());
    expect([wrong.status, wrong.body.message]).toEqual([401, "Invalid email or password"]);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  test("take the password literally: not trimmed, not shortened, case-sensitive", async () => {
    const password = ` ${"Long and Lasting ".repeat(14)}end `;
    const student = { ...newStudent(), password };
    const visitor = store.visitor();
    await register(visitor, student);
    const verifyCode = await newestCode(store, student.email);
    await visitor.post("/api/v1/users/verify-account", { verifyCode, phone: student.phone });
    const login = async (given: string) =>
      (await visitor.post("/api/v1/users/login", { ...student, password: given })).status;
    for (const other of [password.trim(), password.slice(0, 72), password.toLowerCase()])
      expect([other, await login(other)]).toEqual([other, 401]);
    expect(await login(password)).toBe(200);
    expect((await register(visitor, { ...newStudent(), password: "x".repeat(257) })).status).toBe(422);
  });

  test("send a new code to an unverified account, if the password is right", async () => {
    const student = newStudent();
    const visitor = store.visitor();
    await register(visitor, student);
    store.clock.advance({ seconds: 1 });
    const answer = await visitor.post("/api/v1/users/login", student);
    expect([answer.status, answer.body.code]).toEqual([403, "ACCOUNT_NOT_VERIFIED"]);
    expect(answer.body.data).toEqual({ phone: student.phone });
    expect(await mailsTo(store, student.email)).toHaveLength(2);
  });

  test("refuse the user data to a guest", async () => {
    const answer = await store.visitor().get("/api/v1/users/getuser");
    expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
  });

  test("treat an invalid session cookie as a guest", async () => {
    for (const cookie of ["session=%", "session=x; session=y", "session="]) {
      const answer = await store
        .visitor()
        .send("GET", "/api/v1/users/getuser", undefined, { Cookie: cookie });
      expect(answer.status).toBe(401);
    }
  });

  test("end the browser's previous session on a new login", async () => {
    const { visitor, student } = await signedInStudent(store);
    const before = visitor.cookieHeader;
    await visitor.post("/api/v1/users/login", student);
    const old = await store.visitor().send("GET", "/api/v1/users/getuser", undefined, { Cookie: before });
    expect(old.status).toBe(401);
  });
});

describe("login by OTP", () => {
  test("answers with the e-mail, mails a code and accepts it once", async () => {
    const { student } = await signedInStudent(store);
    const visitor = store.visitor();
    store.clock.advance({ seconds: 1 });
    const sent = await visitor.post("/api/v1/users/generate-otp-for-login", { email: student.email });
    expect(sent.body.data).toEqual({ email: student.email });
    const body = { verifyCode: await newestCode(store, student.email), email: student.email };
    const login = await visitor.post("/api/v1/users/login-with-otp", body);
    expect(login.body.data.email).toBe(student.email);
    expect((await visitor.get("/api/v1/users/getuser")).status).toBe(200);
    expect((await store.visitor().post("/api/v1/users/login-with-otp", body)).status).toBe(401);
  });

  test("is possible for 10 minutes after the code was sent", async () => {
    const { student } = await signedInStudent(store);
    const logIn = async (after: { minutes: number; ms: number }) => {
      store.clock.advance({ seconds: 1 });
      await store.visitor().post("/api/v1/users/generate-otp-for-login", { email: student.email });
      const verifyCode = await newestCode(store, student.email);
      store.clock.advance(after);
      const body = { verifyCode, email: student.email };
      return (await store.visitor().post("/api/v1/users/login-with-otp", body)).status;
    };
    expect(await logIn({ minutes: 10, ms: -1 })).toBe(200);
    expect(await logIn({ minutes: 10, ms: 0 })).toBe(401);
  });

  test("accepts the phone instead of the e-mail", async () => {
    const { student } = await signedInStudent(store);
    store.clock.advance({ seconds: 1 });
    const visitor = store.visitor();
    await visitor.post("/api/v1/users/generate-otp-for-login", { email: student.email });
    const verifyCode = await newestCode(store, student.email);
    const login = await visitor.post("/api/v1/users/login-with-otp", { verifyCode, phone: student.phone });
    expect([login.status, login.body.data.email]).toEqual([200, student.email]);
    expect((await visitor.get("/api/v1/users/getuser")).body.data).toEqual(login.body.data);
  });

  test("gives the same answer for an e-mail without an account, and mails nothing", async () => {
    const { student } = await signedInStudent(store);
    const stranger = newStudent();
    const known = await store
      .visitor()
      .post("/api/v1/users/generate-otp-for-login", { email: student.email });
    const unknown = await store
      .visitor()
      .post("/api/v1/users/generate-otp-for-login", { email: stranger.email });
    expect(unknown.status).toBe(known.status);
    expect(unknown.body.message).toBe(known.body.message);
    expect(await mailsTo(store, stranger.email)).toEqual([]);
  });

  test("requires a phone or an e-mail", async () => {
    const answer = await store.visitor().post("/api/v1/users/login-with-otp", { verifyCode: "123456" });
    expect([answer.status, answer.body.message]).toEqual([422, "Phone or email not found."]);
  });

  test("does not accept a verification code", async () => {
    const student = newStudent();
    await register(store.visitor(), student);
    const verifyCode = await newestCode(store, student.email);
    const answer = await store
      .visitor()
      .post("/api/v1/users/login-with-otp", { verifyCode, email: student.email });
    expect(answer.status).toBe(401);
  });
});

describe("POST /users/logout", () => {
  test("ends the session on the server and removes its cookie from the browser", async () => {
    const { visitor } = await signedInStudent(store);
    const cookie = visitor.cookieHeader;
    const { body, headers } = await visitor.post("/api/v1/users/logout");
    expect(body).toMatchObject({ success: true });
    expect(headers.getSetCookie()).toEqual([
      "session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax",
    ]);
    const after = await store.visitor().send("GET", "/api/v1/users/getuser", undefined, { Cookie: cookie });
    expect(after.status).toBe(401);
  });

  test("succeeds for a guest too", async () => {
    expect((await store.visitor().post("/api/v1/users/logout")).status).toBe(200);
  });
});

describe("password recovery", () => {
  async function recoveryToken(email: string): Promise<string> {
    store.clock.advance({ seconds: 1 });
    await store.visitor().post("/api/v1/users/fpmail", { email });
    const [mail] = await mailsTo(store, email);
    const token = /reset-password\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    if (!token) throw new Error("The mail holds no link");
    return token;
  }
  const reset = (token: string, password: string, visitor = store.visitor()) =>
    visitor.post("/api/v1/users/reset-password", { token, password, confirmpassword: password });

  test("sets a new password with the mailed link, and ends every session and the cookie of this one", async () => {
    const { visitor, student } = await signedInStudent(store);
    const token = await recoveryToken(student.email);
    const elsewhere = visitor.at(store);
    expect((await reset(token, "a new password", visitor)).status).toBe(200);
    expect(visitor.cookie("session")).toBe("");
    expect((await elsewhere.get("/api/v1/users/getuser")).status).toBe(401);
    expect((await store.visitor().post("/api/v1/users/login", student)).status).toBe(401);
    const login = await store
      .visitor()
      .post("/api/v1/users/login", { ...student, password: "a new password" });
    expect(login.status).toBe(200);
  });

  test("refuses a link that is used, older than 30 minutes, or replaced by a newer one", async () => {
    const { student } = await signedInStudent(store);
    const used = await recoveryToken(student.email);
    await reset(used, "first");
    expect((await reset(used, "second")).status).toBe(422);
    const alive = await recoveryToken(student.email);
    store.clock.advance({ minutes: 30, ms: -1 });
    expect((await reset(alive, "third")).status).toBe(200);
    const expired = await recoveryToken(student.email);
    store.clock.advance({ minutes: 30 });
    expect((await reset(expired, "a try too late")).status).toBe(422);
    const replaced = await recoveryToken(student.email);
    await recoveryToken(student.email);
    expect((await reset(replaced, "fourth")).status).toBe(422);
    expect((await reset("made-up", "fifth")).body.message).toMatch(/no longer valid/);
  });

  test("gives the same answer for an e-mail without an account, and mails nothing", async () => {
    const stranger = newStudent();
    const answer = await store.visitor().post("/api/v1/users/fpmail", { email: stranger.email });
    expect([answer.status, answer.body.data]).toEqual([200, { email: stranger.email }]);
    expect(await mailsTo(store, stranger.email)).toEqual([]);
  });
});
