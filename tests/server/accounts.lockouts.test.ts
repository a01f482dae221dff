import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ensureAdmin } from "#server/accounts/admin.service.ts";
import type { LimitUse } from "#server/http/rate-limit.ts";
import { pseudonym } from "#server/lib/log.ts";
import { mailsTo } from "../factories/mails.ts";
import { SoftwareKey } from "../factories/passkeys.ts";
import { changeStaff, invitationToken, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import {
  logIn,
  newestCode,
  newStudent,
  register,
  type Student,
  signedInStudent,
  visitorAs,
} from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore({ RATE_LIMIT_SCALE: "1" });
beforeAll(async () => {
  store.deps.minimumAnswerMs = 0;
});

const MALLORYS = "203.0.113.7";
const OWNERS = "198.51.100.20";
/** What somebody who may try no more is told to do instead. */
const BY_LINK = "or choose a new password by 'Forgot Password'";

/** A call from this address, by a visitor or by somebody without the store's cookies. */
function call(path: string, body: object, address: string, visitor: ApiClient = store.visitor()) {
  return visitor.post(`/api/v1/users/${path}`, body, { "X-Forwarded-For": address });
}

const login = ({ email, password }: Student, address: string, visitor?: ApiClient) =>
  call("login", { email, password }, address, visitor);
const guess = ({ email }: Student, address: string) => call("login", { email, password: "a guess" }, address);
const askForCode = ({ email }: Student, address: string, visitor?: ApiClient) =>
  call("generate-otp-for-login", { email }, address, visitor);
const askForLink = ({ email }: Student, address: string) => call("fpmail", { email }, address);
const enter = (body: object, address: string, visitor?: ApiClient) =>
  call("login-with-otp", body, address, visitor);

/** Addresses of different households. */
const addresses = (count: number, network = "10.9") =>
  Array.from({ length: count }, (_, index) => `${network}.${Math.floor(index / 250)}.${(index % 250) + 1}`);

/** The statuses of successive calls, as `200 ×5, 429 ×1`. */
async function statusesOf(times: number, make: (index: number) => Promise<{ status: number }>) {
  const counts = new Map<number, number>();
  for (let index = 0; index < times; index++) {
    const { status } = await make(index);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${status} ×${count}`).join(", ");
}

/** Counts so many uses at once: to make them for real would take minutes of hashing. */
async function countBefore(times: number, use: LimitUse): Promise<void> {
  const counts = () => store.deps.db.selectFrom("rate_limits").select(["key", "points"]).execute();
  const before = new Map((await counts()).map(({ key, points }) => [key, points]));
  await store.deps.limits.takeAll(use);
  const counted = (await counts()).find(({ key, points }) => points !== before.get(key));
  await store.deps.db
    .updateTable("rate_limits")
    .set({ points: (before.get(counted?.key ?? "") ?? 0) + times })
    .where("key", "=", counted?.key ?? "")
    .execute();
}

async function hashOf({ email }: Student): Promise<string> {
  const row = store.deps.readDb.selectFrom("users").select("password_hash").where("email", "=", email);
  return (await row.executeTakeFirstOrThrow()).password_hash;
}

/** A student with an account but without a session; only the visitor's device is known. */
async function someone() {
  const { visitor, student } = await signedInStudent(store);
  await visitor.post("/api/v1/users/logout");
  store.clock.advance({ seconds: 1 });
  return { visitor, student };
}

const mailsOf = async ({ email }: Student, kind: string) =>
  (await mailsTo(store, email)).filter((mail) => mail.kind === kind);
const linkOf = ({ text }: { text: string }) => /reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? "";
const reset = (token: string, password: string) =>
  call("reset-password", { token, password, confirmpassword: password }, OWNERS);
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

describe("forty abusive requests from one address", () => {
  test("do not block the owner elsewhere: password, code and link still work", async () => {
    const { student } = await someone();
    const { email, phone } = student;
    const attack = [
      () => guess(student, MALLORYS),
      () => askForCode(student, MALLORYS),
      () => enter({ email, verifyCode: "000000" }, MALLORYS),
      () => enter({ phone, verifyCode: "000000" }, MALLORYS),
      () => askForLink(student, MALLORYS),
    ];
    await statusesOf(
      45,
      (index) => (attack[index % attack.length] ?? attack[0])?.() as ReturnType<typeof guess>,
    );
    store.clock.advance({ seconds: 1 });

    expect((await login(student, OWNERS)).status).toBe(200);
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    const verifyCode = await newestCode(store, email);
    expect((await enter({ email, verifyCode }, OWNERS)).status).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect((await askForLink(student, OWNERS)).status).toBe(200);
    const [mail] = await mailsOf(student, "account-recovery");
    expect((await reset(linkOf(mail ?? { text: "" }), "a new password")).status).toBe(200);
    expect((await login({ ...student, password: "a new password" }, OWNERS)).status).toBe(200);
  });

  test("do not block a device the owner has used before, even at that address", async () => {
    const { visitor, student } = await someone();
    const { email } = student;
    expect(await statusesOf(15, () => guess(student, "127.0.0.1"))).toBe("401 ×10, 429 ×5");
    await statusesOf(12, () => askForCode(student, "127.0.0.1"));
    expect(await statusesOf(15, () => enter({ email, verifyCode: "none" }, "127.0.0.1"))).toBe(
      "401 ×10, 429 ×5",
    );
    expect((await login(student, "127.0.0.1")).status).toBe(429);

    expect((await login(student, "127.0.0.1", visitor)).status).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect((await askForCode(student, "127.0.0.1", visitor)).status).toBe(200);
    const verifyCode = await newestCode(store, email);
    expect((await enter({ email, verifyCode }, "127.0.0.1", visitor)).status).toBe(200);
  });
});

describe("distributed guessing", () => {
  test("of one password from many addresses is limited to 200 tries a day, while the owner can use a known device or a mailed code", async () => {
    const { visitor, student } = await someone();
    await countBefore(195, ["loginAccount", student.email, await hashOf(student)]);
    const guesses = await Promise.all(addresses(10).map((address) => guess(student, address)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    const refused = guesses.find(({ status }) => status === 429);
    expect(refused?.body.message).toBe(`Too many attempts. Please try again in 24 hours, ${BY_LINK}`);
    expect((await login(student, OWNERS)).status).toBe(429);

    expect((await login(student, OWNERS, visitor)).status).toBe(200);
    const elsewhere = store.visitor();
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    const body = { email: student.email, verifyCode: await newestCode(store, student.email) };
    expect((await enter(body, OWNERS, elsewhere)).status).toBe(200);
    expect((await login(student, OWNERS, elsewhere)).status).toBe(200);
    // The owner's own logins give the attacker no new tries.
    expect((await guess(student, "10.9.200.1")).status).toBe(429);
    store.clock.advance({ hours: 24 });
    expect((await guess(student, "10.9.200.1")).status).toBe(401);
  });

  test("from one address at many accounts is limited to 2,000 tries in 15 minutes, not counting successful logins", async () => {
    const { visitor, student } = await someone();
    const address = "192.0.2.99";
    for (let time = 0; time < 3; time++) expect((await login(student, address)).status).toBe(200);
    await countBefore(1995, ["loginAddress", address]);
    const guesses = await Promise.all(Array.from({ length: 8 }, () => guess(newStudent(), address)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(3);
    expect((await login(student, address, visitor)).status).toBe(200);
  });

  test("of login codes is limited to five tries per code and twenty a day, by e-mail and phone together, and the owner is told by mail", async () => {
    const { visitor, student } = await someone();
    const { email, phone } = student;
    const spread = addresses(60, "10.10");
    let next = 0;
    for (let codes = 0; codes < 4; codes++) {
      const address = spread[next++] ?? "";
      expect((await askForCode(student, address)).status).toBe(200);
      const wrong = otherThan(await newestCode(store, email));
      store.clock.advance({ seconds: 1 });
      for (let tries = 0; tries < 5; tries++) {
        const by = tries % 2 === 0 ? { email } : { phone };
        expect((await enter({ ...by, verifyCode: wrong }, spread[next++] ?? "")).status).toBe(401);
      }
    }
    // From now on not even the right code works on a stranger's device.
    await visitor.post("/api/v1/users/generate-otp-for-login", { email });
    expect(await mailsOf(student, "account-login")).toHaveLength(5);
    const verifyCode = await newestCode(store, email);
    expect((await enter({ phone, verifyCode }, OWNERS)).status).toBe(401);
    expect((await enter({ email, verifyCode }, OWNERS)).status).toBe(401);
    store.clock.advance({ seconds: 1 });
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    const [mail] = await mailsTo(store, email);
    expect(mail).toMatchObject({
      subject: "Codes for your Print Store account are paused",
      secret: 0,
    });
    expect(mail?.text).toContain("/forgotpassword");

    expect((await enter({ email, verifyCode }, OWNERS, visitor)).status).toBe(200);
    expect((await login(student, OWNERS)).status).toBe(200);
    store.clock.advance({ hours: 24 });
    await askForCode(student, OWNERS);
    const fresh = await newestCode(store, email);
    expect((await enter({ phone, verifyCode: fresh }, OWNERS)).status).toBe(200);
  });

  test("of verification codes keeps its count when someone signs up again", async () => {
    const student = newStudent();
    const spread = addresses(60, "10.11");
    let next = 0;
    for (let signups = 0; signups < 4; signups++) {
      const body = { ...student, confirmpassword: student.password };
      expect((await call("register", body, spread[next++] ?? "")).status).toBe(200);
      const verifyCode = otherThan(await newestCode(store, student.email));
      store.clock.advance({ seconds: 1 });
      for (let tries = 0; tries < 5; tries++) {
        await call("verify-account", { phone: student.phone, verifyCode }, spread[next++] ?? "");
      }
    }
    await register(store.visitor(), student);
    const mails = await mailsTo(store, student.email);
    expect(mails[0]?.subject).toBe("Codes for your Print Store account are paused");
    expect(mails.filter(({ kind }) => kind === "account-verify")).toHaveLength(4);
  });
});

describe("guesses that an address may no longer make", () => {
  test("are not counted for the account, so one address alone cannot lock it", async () => {
    const { student } = await someone();
    const hash = await hashOf(student);
    await countBefore(199, ["loginAccount", student.email, hash]);
    await countBefore(10, ["loginPair", student.email, hash, MALLORYS]);
    expect(await statusesOf(3, () => guess(student, MALLORYS))).toBe("429 ×3");
    expect((await login(student, OWNERS)).status).toBe(200);
  });
});

test("right codes do not count as wrong ones, so that somebody can always log in by code", async () => {
  const { student } = await someone();
  const { email } = student;
  await countBefore(19, ["codeTryAccount", email, await hashOf(student)]);
  for (let logins = 0; logins < 2; logins++) {
    store.clock.advance({ seconds: 1 });
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    expect((await enter({ email, verifyCode: await newestCode(store, email) }, OWNERS)).status).toBe(200);
  }
});

describe("a sign-up that is refused", () => {
  const signUp = (student: Student, address: string) =>
    call("register", { ...student, confirmpassword: student.password }, address);

  test("does not count for its e-mail, so that strangers cannot keep somebody without an account from signing up", async () => {
    const newcomer = newStudent();
    const { student } = await someone();
    const common = { ...newcomer, password: "password" };
    for (const address of addresses(2, "10.41"))
      expect(await statusesOf(11, () => signUp(common, address))).toBe("422 ×11");
    expect(await statusesOf(11, () => signUp({ ...newcomer, phone: student.phone }, OWNERS))).toBe("409 ×11");
    expect((await signUp(newcomer, OWNERS)).status).toBe(200);
  });

  test("counts for its address", async () => {
    const address = "192.0.2.78";
    await countBefore(999, ["registerAddress", address]);
    const common = { ...newStudent(), password: "password" };
    expect((await signUp(common, address)).status).toBe(422);
    expect((await signUp(newStudent(), address)).status).toBe(429);
  });
});

describe("the limit per account", () => {
  test("on sign-ups is ten codes an hour for one e-mail", async () => {
    const student = newStudent();
    expect(await statusesOf(11, () => register(store.visitor(), student))).toBe("200 ×10, 429 ×1");
  });

  test("on password recovery is five links in 30 minutes", async () => {
    const { email } = newStudent();
    const ask = () => store.visitor().post("/api/v1/users/fpmail", { email });
    expect(await statusesOf(6, ask)).toBe("200 ×5, 429 ×1");
  });

  test("on entering codes is ten a day from one address", async () => {
    const { email } = newStudent();
    const code = () => store.visitor().post("/api/v1/users/login-with-otp", { email, verifyCode: "123456" });
    expect(await statusesOf(10, code)).toBe("401 ×10");
    const refused = await code();
    expect([refused.status, refused.body.message]).toEqual([
      429,
      `Too many attempts. Please try again in 24 hours, ${BY_LINK}`,
    ]);
  });

  test("on messages to the store is ten an hour per account, or for guests per e-mail at one address", async () => {
    const { visitor } = await signedInStudent(store);
    const send = (client: ApiClient, email: string) => () =>
      client.post("/api/v1/users/contactus", { fullName: "Asha", email, subject: "", message: "Hello" });
    let count = 0;
    expect(await statusesOf(11, () => send(visitor, `a${count++}@b.cc`)())).toBe("200 ×10, 429 ×1");
    expect(await statusesOf(11, send(store.visitor(), "guest@b.cc"))).toBe("200 ×10, 429 ×1");
    expect(await statusesOf(1, send(store.visitor(), "other@b.cc"))).toBe("200 ×1");
    const message = { fullName: "Asha", email: "guest@b.cc", subject: "", message: "Hello" };
    expect((await call("contactus", message, OWNERS)).status).toBe(200);
  });
});

describe("the last of these is answered, and the next is refused:", () => {
  /** Somebody with an account on a known device, somebody who has only signed up, and somebody without an account. */
  async function setting() {
    const { visitor, student } = await signedInStudent(store);
    const newcomer = newStudent();
    await register(store.visitor(), newcomer);
    const [device = ""] = visitor.cookie("device").split(".");
    const session = createHash("sha256").update(visitor.cookie("session")).digest("hex");
    return {
      visitor,
      student,
      newcomer,
      unknown: newStudent(),
      device,
      session,
      hash: await hashOf(student),
    };
  }
  type Setting = Awaited<ReturnType<typeof setting>>;
  const NETWORK = "2001:db8:77";
  const passkeyCall = (procedure: string, input: object, address: string) =>
    store.visitor().post(`/api/trpc/accounts.${procedure}`, input, { "X-Forwarded-For": address });
  const unknownKey = () =>
    new SoftwareKey().get({ challenge: "bWFkZSB1cA", rpId: "127.0.0.1" }, { origin: store.url });

  test.each<
    [string, number, (on: Setting) => LimitUse, (on: Setting) => Promise<ApiAnswer>, instead?: string]
  >([
    [
      "40 wrong passwords a day from one address",
      40,
      ({ student, hash }) => ["loginPairDay", student.email, hash, MALLORYS],
      ({ student }) => guess(student, MALLORYS),
      BY_LINK,
    ],
    [
      "40 wrong entries of the current password a day in one session",
      40,
      ({ session }) => ["passwordTrySessionDay", session],
      ({ visitor }) => visitor.mutate("privacy.deleteAccount", { password: "a guess" }),
    ],
    [
      "5 login codes in 15 minutes for an e-mail from one address",
      5,
      ({ student }) => ["otpSendPair", student.email, MALLORYS],
      ({ student }) => askForCode(student, MALLORYS),
    ],
    [
      "5 login codes in 15 minutes on a known device",
      5,
      ({ device }) => ["otpSendDevice", device],
      ({ visitor, student }) => askForCode(student, OWNERS, visitor),
    ],
    [
      "20 login codes a day on a known device",
      20,
      ({ device }) => ["otpSendDeviceDay", device],
      ({ visitor, student }) => askForCode(student, OWNERS, visitor),
    ],
    [
      "20 wrong codes a day on a known device",
      20,
      ({ device }) => ["otpTryDevice", device],
      ({ visitor, student }) => enter({ email: student.email, verifyCode: "none" }, OWNERS, visitor),
      BY_LINK,
    ],
    [
      "5 recovery links in 30 minutes on a known device",
      5,
      ({ device }) => ["recoveryDevice", device],
      ({ visitor, student }) => call("fpmail", { email: student.email }, OWNERS, visitor),
    ],
    [
      "20 sign-ups a day with one e-mail, whatever the address",
      20,
      ({ unknown }) => ["registerAccount", unknown.email],
      ({ unknown }) => call("register", { ...unknown, confirmpassword: unknown.password }, OWNERS),
      BY_LINK,
    ],
    [
      "5 new verification codes in 15 minutes for a phone",
      5,
      ({ newcomer }) => ["otpSendPair", newcomer.phone, "127.0.0.1"],
      ({ newcomer }) => store.visitor().mutate("accounts.resendVerification", { phone: newcomer.phone }),
    ],
    [
      "5 verification codes in 15 minutes by logins with the right password",
      5,
      ({ newcomer }) => ["otpSendPair", newcomer.email, OWNERS],
      ({ newcomer }) => login(newcomer, OWNERS),
    ],
    [
      "2,000 challenges for passkeys in 15 minutes to one address",
      2000,
      () => ["passkeyAddress", `${NETWORK}:1::1`],
      () => passkeyCall("passkeyChallenge", {}, `${NETWORK}:1::1`),
    ],
    [
      "2,000 passkeys in 15 minutes from one address",
      2000,
      () => ["passkeyAddress", `${NETWORK}:2::1`],
      () => passkeyCall("loginWithPasskey", { passkey: unknownKey() }, `${NETWORK}:2::1`),
    ],
  ])("%s", async (_what, most, use, make, instead = "") => {
    const on = await setting();
    await countBefore(most - 1, use(on));
    expect((await make(on)).status).not.toBe(429);
    const { status, body } = await make(on);
    expect([status, body.message ?? body.error.message]).toEqual([
      429,
      expect.stringMatching(
        new RegExp(`^Too many attempts\\. Please try again in \\d+ \\w+${instead && `, ${instead}`}$`),
      ),
    ]);
  });
});

test("the security log records paused codes, new phones, e-mails and passwords, deleted accounts and changed roles, with pseudonyms", async () => {
  const { visitor, student } = await signedInStudent(store);
  const moving = await signedInStudent(store);
  const [shopId] = await shopIds(store);
  const [admin, owner] = [await signedInAdmin(store), await signedInOwner(store, [shopId])];
  const { email: invited } = newStudent();
  const lines: Record<string, unknown>[] = [];
  const spies = (["info", "warn"] as const).map((level) =>
    vi.spyOn(store.deps.log, level).mockImplementation((line) => void lines.push({ level, ...Object(line) })),
  );

  store.clock.advance({ seconds: 1 });
  await visitor.mutate("accounts.requestPhoneCode", { phone: newStudent().phone });
  await visitor.mutate("accounts.confirmPhone", { verifyCode: await newestCode(store, student.email) });
  const [email, { password: current }] = [newStudent().email, moving.student];
  await moving.visitor.mutate("accounts.requestEmailCode", { email, password: current });
  await moving.visitor.mutate("accounts.confirmEmail", { verifyCode: await newestCode(store, email) });
  await countBefore(20, ["codeTryAccount", student.email, await hashOf(student)]);
  await askForCode(student, OWNERS);
  store.clock.advance({ seconds: 1 });
  await askForLink(student, OWNERS);
  const [mail] = await mailsOf(student, "account-recovery");
  const password = "a new password";
  await reset(linkOf(mail ?? { text: "" }), password);
  await login({ ...student, password }, OWNERS, visitor);
  await visitor.mutate("privacy.deleteAccount", { password });
  await changeStaff(admin.visitor, owner.userId, { role: "admin", shopIds: [] });
  await admin.visitor.mutate("staff.remove", { userId: owner.userId });
  await admin.visitor.mutate("staff.invite", { email: invited, role: "counter", shopIds: [shopId] });
  const account = {
    fullName: "Ravi",
    phone: "",
    password: "a long phrase",
    confirmpassword: "a long phrase",
  };
  const token = await invitationToken(store, invited);
  await store.visitor().mutate("staff.accept", { token, account });
  for (const spy of spies) spy.mockRestore();

  const names = [
    "auth.phone.changed",
    "auth.email.changed",
    "auth.code.closed",
    "auth.password.reset",
    "auth.account.deleted",
    "staff.role.changed",
  ];
  const told = lines.filter(({ event }) => names.includes(String(event)));
  const [ofStudent, ofMoving, ofOwner, ofInvited] = [
    student.email,
    moving.student.email,
    owner.person.email,
    invited,
  ].map((email) => pseudonym(store.deps.keyring, email));
  expect(told.map(({ event, level, accountRef, from, to }) => [event, level, accountRef, from, to])).toEqual([
    ["auth.phone.changed", "info", ofStudent, undefined, undefined],
    ["auth.email.changed", "info", ofMoving, undefined, undefined],
    ["auth.code.closed", "warn", ofStudent, undefined, undefined],
    ["auth.password.reset", "info", ofStudent, undefined, undefined],
    ["auth.account.deleted", "info", ofStudent, undefined, undefined],
    ["staff.role.changed", "info", ofOwner, "owner", "admin"],
    ["staff.role.changed", "info", ofOwner, "admin", "customer"],
    ["staff.role.changed", "info", ofInvited, "nobody", "counter"],
  ]);
});

describe("strangers who use up the tries of a code", () => {
  test("do not use up the five tries of the owner's known device", async () => {
    const { visitor, student } = await someone();
    const { email } = student;
    await askForCode(student, OWNERS, visitor);
    const verifyCode = await newestCode(store, email);
    for (const address of addresses(5, "10.12")) {
      await enter({ email, verifyCode: otherThan(verifyCode) }, address);
    }
    expect((await enter({ email, verifyCode }, "10.12.9.9")).status).toBe(401);
    expect((await enter({ email, verifyCode }, OWNERS, visitor)).status).toBe(200);

    store.clock.advance({ seconds: 1 });
    await askForCode(student, OWNERS, visitor);
    const second = await newestCode(store, email);
    for (let tries = 0; tries < 5; tries++) {
      await enter({ email, verifyCode: otherThan(second) }, OWNERS, visitor);
    }
    expect((await enter({ email, verifyCode: second }, OWNERS, visitor)).status).toBe(401);
  });
});

describe("strangers who request mails for someone else", () => {
  test("can send at most twenty codes a day and then one every 30 minutes, and the latest code works", async () => {
    const { visitor, student } = await someone();
    const byCode = async () => ({ email: student.email, verifyCode: await newestCode(store, student.email) });
    const askFrom = async (network: string, count: number) => {
      store.clock.advance({ seconds: 1 });
      const asked = await Promise.all(
        addresses(count, network).map((address) => askForCode(student, address)),
      );
      expect(asked.every(({ status }) => status === 200)).toBe(true);
      return (await mailsOf(student, "account-login")).length;
    };
    expect(await askFrom("10.13", 20)).toBe(20);
    expect(await askFrom("10.23", 10)).toBe(21);
    expect((await enter(await byCode(), OWNERS)).status).toBe(200);

    store.clock.advance({ minutes: 30 });
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    expect(await askFrom("10.33", 10)).toBe(22);
    expect((await enter(await byCode(), OWNERS)).status).toBe(200);

    await askForCode(student, OWNERS, visitor);
    expect(await mailsOf(student, "account-login")).toHaveLength(23);
  });

  test("cannot stop the owner from getting a working recovery link, on a known device at once", async () => {
    const { visitor, student } = await someone();
    const askFrom = async (network: string, count: number) => {
      store.clock.advance({ seconds: 1 });
      await Promise.all(addresses(count, network).map((address) => askForLink(student, address)));
      return (await mailsOf(student, "account-recovery")).length;
    };
    expect(await askFrom("10.14", 10)).toBe(10);
    expect(await askFrom("10.24", 10)).toBe(11);
    store.clock.advance({ minutes: 29 });
    expect(await askFrom("10.34", 10)).toBe(11);
    await call("fpmail", { email: student.email }, OWNERS, visitor);
    expect(await mailsOf(student, "account-recovery")).toHaveLength(12);
    expect((await askForLink(student, OWNERS)).status).toBe(200);
    const [newest] = await mailsOf(student, "account-recovery");
    expect((await reset(linkOf(newest ?? { text: "" }), "a new password")).status).toBe(200);
  });

  test("are what somebody counts as whose known devices have had 60 mails that day: each login makes another device", async () => {
    const { visitor, student } = await signedInStudent(store);
    const { email } = student;
    await countBefore(60, ["deviceMailAccount", email]);
    await countBefore(20, ["codeMailAccount", email]);
    await countBefore(10, ["linkMailAccount", email]);
    const { phone: newPhone } = newStudent();
    const asked = [
      await askForCode(student, OWNERS, visitor),
      await askForCode(student, OWNERS, visitor),
      await call("fpmail", { email }, OWNERS, visitor),
      await call("fpmail", { email }, OWNERS, visitor),
      await visitor.mutate("accounts.requestPhoneCode", { phone: newPhone }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    const kinds = (await mailsTo(store, email)).map(({ kind }) => kind);
    expect(kinds.toSorted()).toEqual(["account-login", "account-recovery"]);
  });

  test("get the same answers, equally often, if the account does not exist", async () => {
    const { student } = await someone();
    const nobody = newStudent();
    const walk = async ({ email, phone }: Student, network: string) => {
      const [one = "", ...others] = addresses(26, network);
      const [first = "", second = ""] = addresses(2, `${network}1`);
      return [
        await statusesOf(7, () => askForCode({ ...nobody, email }, one)),
        await together(others.map((address) => askForCode({ ...nobody, email }, address))),
        await statusesOf(12, () => enter({ email, verifyCode: "none" }, first)),
        await statusesOf(12, () => enter({ phone, verifyCode: "none" }, second)),
        await together(others.map((address) => enter({ phone, verifyCode: "000000" }, address))),
        await statusesOf(12, () => guess({ ...nobody, email }, one)),
        await statusesOf(7, () => askForLink({ ...nobody, email }, one)),
      ];
    };
    const together = async (answers: Promise<{ status: number }>[]) =>
      (await Promise.all(answers)).map(({ status }) => status).sort();
    expect(await walk(nobody, "10.16")).toEqual(await walk(student, "10.15"));
  });
});

describe("the cookie of a known device", () => {
  const cookieOf = (visitor: ApiClient) => visitor.cookie("device");
  const guessWith = ({ email }: Student, cookie: string) =>
    store
      .visitor()
      .post(
        "/api/v1/users/login",
        { email, password: "a guess" },
        { "X-Forwarded-For": MALLORYS, Cookie: `device=${cookie}` },
      );

  test("contains no personal data, is HttpOnly, and works for one account until its password changes", async () => {
    const { visitor, student } = await signedInStudent(store);
    const cookie = cookieOf(visitor);
    expect(cookie).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    await logIn(visitor, student);
    expect(cookieOf(visitor)).toBe(cookie);
    const again = await store.visitor().post("/api/v1/users/login", student);
    const inHalfAYear = new Date(store.clock.now().getTime() + 180 * 24 * 60 * 60_000).toUTCString();
    expect(again.headers.getSetCookie().find((each) => each.startsWith("device="))).toMatch(
      new RegExp(`; Path=/; Expires=${inHalfAYear}; HttpOnly; SameSite=Lax`),
    );
    const other = await someone();
    expect(await statusesOf(11, () => guess(other.student, MALLORYS))).toBe("401 ×10, 429 ×1");
    expect((await guessWith(other.student, cookie)).status).toBe(429);
    expect((await guessWith(other.student, cookieOf(other.visitor))).status).toBe(401);

    const { password } = student;
    const change = { currentPassword: password, password: "a new one", confirmpassword: "a new one" };
    expect((await visitor.mutate("accounts.changePassword", change)).status).toBe(200);
    expect(cookieOf(visitor)).not.toBe(cookie);
    expect(await statusesOf(11, () => guess(student, MALLORYS))).toBe("401 ×10, 429 ×1");
    expect((await guessWith(student, cookie)).status).toBe(429);
    expect((await guessWith(student, cookieOf(visitor))).status).toBe(401);
  });

  test("allows ten wrong passwords in 15 minutes and forty a day; the right password resets the first", async () => {
    const { visitor, student } = await someone();
    const cookie = cookieOf(visitor);
    const refusal = async () => {
      const { status, body } = await guessWith(student, cookie);
      return [status, body.message];
    };
    expect(await statusesOf(9, () => guessWith(student, cookie))).toBe("401 ×9");
    expect((await login(student, OWNERS, visitor)).status).toBe(200);
    for (let quarters = 0; quarters < 4; quarters++) {
      expect(await statusesOf(10, () => guessWith(student, cookie))).toBe("401 ×10");
      expect(await refusal()).toEqual([429, `Too many attempts. Please try again in 15 minutes, ${BY_LINK}`]);
      store.clock.advance({ minutes: 15 });
    }
    expect(await refusal()).toEqual([429, `Too many attempts. Please try again in 23 hours, ${BY_LINK}`]);
  });
});

test("a stolen session has its own limit of password guesses, and does not use up the owner's", async () => {
  const { visitor, student } = await signedInStudent(store);
  const stolen = await visitorAs(store, student);
  const change = (client: ApiClient, currentPassword: string) =>
    client.mutate("accounts.changePassword", {
      currentPassword,
      password: "a new password",
      confirmpassword: "a new password",
    });
  expect(await statusesOf(12, () => change(stolen, "a guess"))).toBe("422 ×10, 429 ×2");
  expect((await change(visitor, student.password)).status).toBe(200);
});

describe("an owner who proves access to their mailbox", () => {
  const chosen = "a new password";
  const resetIn = async (student: Student, browser: ApiClient) => {
    store.clock.advance({ seconds: 1 });
    expect((await askForLink(student, OWNERS)).status).toBe(200);
    const [mail] = await mailsOf(student, "account-recovery");
    const token = linkOf(mail ?? { text: "" });
    return call("reset-password", { token, password: chosen, confirmpassword: chosen }, OWNERS, browser);
  };

  test("can log in on every device after using a recovery link, even if strangers have used up all tries", async () => {
    const { visitor, student } = await someone();
    const { email } = student;
    const guesses = addresses(21, "10.17").flatMap((address) => Array<string>(10).fill(address));
    await Promise.all(guesses.map((address) => guess(student, address)));
    const spread = addresses(30, "10.18");
    for (let codes = 0; codes < 4; codes++) {
      await askForCode(student, spread.pop() ?? "");
      const wrong = otherThan(await newestCode(store, email));
      store.clock.advance({ seconds: 1 });
      for (let tries = 0; tries < 5; tries++) await enter({ email, verifyCode: wrong }, spread.pop() ?? "");
    }

    // The way that each refusal recommends works.
    expect((await login(student, OWNERS)).body.message).toBe(
      `Too many attempts. Please try again in 24 hours, ${BY_LINK}`,
    );
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    const [closed] = await mailsTo(store, email);
    expect(closed?.subject).toBe("Codes for your Print Store account are paused");
    expect(closed?.text).toContain("/forgotpassword");
    expect(closed?.text).not.toContain("log in with your password");

    const browser = store.visitor();
    expect((await resetIn(student, browser)).status).toBe(200);
    const renewed = { ...student, password: chosen };
    for (const client of [browser, visitor, store.visitor()]) {
      expect((await login(renewed, OWNERS, client)).status).toBe(200);
    }
    store.clock.advance({ seconds: 1 });
    await askForCode(student, OWNERS);
    const verifyCode = await newestCode(store, email);
    expect((await enter({ email, verifyCode }, OWNERS)).status).toBe(200);
  });

  test("makes the browser that used the recovery link a known device", async () => {
    const { student } = await someone();
    const browser = store.visitor();
    expect((await resetIn(student, browser)).status).toBe(200);
    expect(await statusesOf(11, () => guess(student, OWNERS))).toBe("401 ×10, 429 ×1");
    const renewed = { ...student, password: chosen };
    expect((await login(renewed, OWNERS)).status).toBe(429);
    expect((await login(renewed, OWNERS, browser)).status).toBe(200);
  });

  test("can log in with the password the operator sets when making them an admin", async () => {
    const { student } = await someone();
    expect(await statusesOf(11, () => guess(student, OWNERS))).toBe("401 ×10, 429 ×1");
    const password = "the operator's choice";
    await ensureAdmin(store.deps, { email: student.email, password });
    expect((await login({ ...student, password }, OWNERS)).body.data).toMatchObject({ role: "admin" });
  });
});

test("a successful login is not counted as an attempt, for staff too", async () => {
  const [shopId] = await shopIds(store);
  const { person } = await signedInOwner(store, [shopId]);
  const counted = async () => {
    const rows = await store.deps.db.selectFrom("rate_limits").select(["key", "points"]).execute();
    return rows.filter(({ key }) => key.startsWith("loginAddress:")).map(({ points }) => Number(points));
  };
  const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
  const address = "192.0.2.77";
  await statusesOf(3, () => guess(newStudent(), address));
  const before = sum(await counted());
  expect((await call("login", person, address)).status).toBe(200);
  expect(sum(await counted())).toBe(before);
});

test("successful logins are not limited, by password or by code, on an unknown device", async () => {
  const { student } = await someone();
  const { email } = student;
  expect(await statusesOf(45, () => login(student, OWNERS))).toBe("200 ×45");
  const byCode = async (day: number) => {
    store.clock.advance({ minutes: 15 });
    expect((await askForCode(student, `198.51.100.${day}`)).status).toBe(200);
    return enter({ email, verifyCode: await newestCode(store, email) }, OWNERS);
  };
  expect(await statusesOf(12, byCode)).toBe("200 ×12");
});

describe("a campus behind one address", () => {
  const CAMPUS = "203.0.113.200";
  const tally = (answers: { status: number }[]) => [...new Set(answers.map(({ status }) => status))];
  const signUp = (student: Student) =>
    call("register", { ...student, confirmpassword: student.password }, CAMPUS);

  test("allows 300 students to sign up three times, guess six wrong passwords and have five codes and five links mailed within 15 minutes", async () => {
    const [others, students] = [290, Array.from({ length: 10 }, newStudent)];
    await countBefore(others * 3, ["registerAddress", CAMPUS]);
    await countBefore(others * 6, ["loginAddress", CAMPUS]);
    await countBefore(others * 5, ["codeMailAddress", CAMPUS]);
    await countBefore(others * 5, ["linkMailAddress", CAMPUS]);
    for (const limit of ["otpSendAddress", "otpTryAddress", "recoveryAddress"] as const)
      await countBefore(others * 16, [limit, CAMPUS]);
    const each = async (run: (student: Student) => Promise<{ status: number }>) =>
      tally(await Promise.all(students.map(run)));
    const verify = ({ phone }: Student, verifyCode: string) =>
      call("verify-account", { phone, verifyCode }, CAMPUS);
    const codeOf = ({ email }: Student) => newestCode(store, email);

    for (let signups = 0; signups < 3; signups++) {
      store.clock.advance({ seconds: 1 });
      expect(await each(signUp)).toEqual([200]);
    }
    expect(await each((student) => verify(student, "none"))).toEqual([401]);
    expect(await each(async (student) => verify(student, await codeOf(student)))).toEqual([200]);
    for (let guesses = 0; guesses < 6; guesses++)
      expect(await each((student) => guess(student, CAMPUS))).toEqual([401]);
    expect(await each((student) => login(student, CAMPUS))).toEqual([200]);
    for (let codes = 0; codes < 5; codes++) {
      store.clock.advance({ seconds: 1 });
      expect(await each((student) => askForCode(student, CAMPUS))).toEqual([200]);
    }
    expect(
      await each(async (student) =>
        enter({ email: student.email, verifyCode: await codeOf(student) }, CAMPUS),
      ),
    ).toEqual([200]);
    for (let links = 0; links < 5; links++) {
      store.clock.advance({ seconds: 1 });
      expect(await each((student) => askForLink(student, CAMPUS))).toEqual([200]);
    }
    const byLink = async (student: Student) => {
      const [mail] = await mailsOf(student, "account-recovery");
      const password = "a new password";
      const body = { token: linkOf(mail ?? { text: "" }), password, confirmpassword: password };
      return call("reset-password", body, CAMPUS);
    };
    expect(await each(byLink)).toEqual([200]);
  });

  test("can still write to the store when a device there has used up its messages: with an account, or elsewhere", async () => {
    const address = "192.0.2.204";
    const message = { fullName: "Asha", email: newStudent().email, subject: "", message: "Hello" };
    await countBefore(60, ["contactAddress", address]);
    const refused = await call("contactus", message, address);
    expect([refused.status, refused.body.message]).toEqual([
      429,
      "Too many attempts. Please try again in 15 minutes, or use another network, such as mobile data",
    ]);
    const { visitor } = await signedInStudent(store);
    expect((await call("contactus", message, address, visitor)).status).toBe(200);
    expect((await call("contactus", message, OWNERS)).status).toBe(200);
    store.clock.advance({ minutes: 15 });
    expect((await call("contactus", message, address)).status).toBe(200);
  });

  test.each([
    ["passwords", "loginAddress", 2000, BY_LINK],
    ["sign-ups", "registerAddress", 1000, "or use another network, such as mobile data"],
  ] as const)(
    "is unblocked 15 minutes after a device there has used up its %s, and is told an alternative meanwhile",
    async (what, limit, most, instead) => {
      const { student } = await someone();
      const address = what === "passwords" ? "192.0.2.201" : "192.0.2.202";
      const enterStore = () =>
        what === "passwords"
          ? login(student, address)
          : call("register", { ...newStudent(), confirmpassword: student.password }, address);
      await countBefore(most, [limit, address]);
      const refused = await enterStore();
      expect([refused.status, refused.body.message]).toEqual([
        429,
        `Too many attempts. Please try again in 15 minutes, ${instead}`,
      ]);
      store.clock.advance({ minutes: 15 });
      expect((await enterStore()).status).toBe(200);
    },
  );

  test("is refused mails in the same way for any e-mail and phone, so that it does not learn which have an account", async () => {
    const address = "192.0.2.203";
    for (const limit of ["codeMailAddress", "linkMailAddress"] as const)
      await countBefore(2000, [limit, address]);
    const newcomer = newStudent();
    await register(store.visitor(), newcomer);
    const resend = ({ phone }: Student) =>
      store.visitor().send("POST", "/api/trpc/accounts.resendVerification", JSON.stringify({ phone }), {
        "Content-Type": "application/json",
        "X-Forwarded-For": address,
      });
    const { student } = await someone();
    for (const person of [student, newcomer, newStudent()]) {
      const answers = [await askForCode(person, address), await askForLink(person, address)];
      answers.push(await resend(person));
      expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
    }
  });

  test("always leaves a working recovery link in the mailbox of a student for whom links are requested repeatedly", async () => {
    const { student } = await someone();
    for (let half = 0; half < 6; half++) {
      await statusesOf(6, () => {
        store.clock.advance({ seconds: 1 });
        return askForLink(student, CAMPUS);
      });
      store.clock.advance({ minutes: 29, seconds: 54 });
      const [mail] = await mailsOf(student, "account-recovery");
      expect(await isLinkAlive(linkOf(mail ?? { text: "" }))).toBe(true);
    }
  });
});

/** Whether a link still works; the call is refused because of the password and does not use the link up. */
async function isLinkAlive(token: string): Promise<boolean> {
  const { body } = await call(
    "reset-password",
    { token, password: "password", confirmpassword: "password" },
    OWNERS,
  );
  return (body.issues ?? []).length > 0;
}
