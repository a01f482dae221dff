import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LimitUse } from "#server/limits.ts";
import { mailsTo } from "../factories/mails.ts";
import { newestCode, newStudent, register, type Student, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
beforeAll(async () => {
  store = await startTestStore({ RATE_LIMIT_SCALE: "1" });
});
afterAll(() => store.stop());

const MALLORYS = "203.0.113.7";
const OWNERS = "198.51.100.20";

/** A call from this address, by whoever has no cookie of the store, or by a visitor. */
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

/** Addresses of as many households. */
const addresses = (count: number, network = "10.9") =>
  Array.from({ length: count }, (_, index) => `${network}.${Math.floor(index / 250)}.${(index % 250) + 1}`);

/** Statuses of calls one after the other, as `200 ×5, 429 ×1`. */
async function statusesOf(times: number, make: (index: number) => Promise<{ status: number }>) {
  const counts = new Map<number, number>();
  for (let index = 0; index < times; index++) {
    const { status } = await make(index);
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  return [...counts].map(([status, count]) => `${status} ×${count}`).join(", ");
}

/** A student with an account, who has no session and no known device but the visitor's. */
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

describe("forty requests from one address", () => {
  test("leave the owner every way in", async () => {
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

  test("do not stop a device of the owner that shares the address", async () => {
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

describe("a guess that is spread out", () => {
  /** Failures that were counted before: each of hundreds of guesses would take the hash of a password. */
  async function countBefore(times: number, use: LimitUse): Promise<void> {
    for (let time = 0; time < times; time++) await store.deps.limits.takeAll(use);
  }

  test("over many addresses gets 200 tries a day at one password, and the owner goes on by a known device or by mail", async () => {
    const { visitor, student } = await someone();
    await countBefore(195, ["loginAccount", student.email]);
    const guesses = await Promise.all(addresses(10).map((address) => guess(student, address)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    const refused = guesses.find(({ status }) => status === 429);
    expect(refused?.body.message).toBe(
      "Too many attempts. Please try again in 24 hours, or log in with an OTP, or choose a new password by 'Forgot Password'",
    );
    expect((await login(student, OWNERS)).status).toBe(429);

    expect((await login(student, OWNERS, visitor)).status).toBe(200);
    const elsewhere = store.visitor();
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    const body = { email: student.email, verifyCode: await newestCode(store, student.email) };
    expect((await enter(body, OWNERS, elsewhere)).status).toBe(200);
    expect((await login(student, OWNERS, elsewhere)).status).toBe(200);
    // The owner's own logins give the guesser nothing back.
    expect((await guess(student, "10.9.200.1")).status).toBe(429);
    store.clock.advance({ hours: 24 });
    expect((await guess(student, "10.9.200.1")).status).toBe(401);
  });

  test("by one address over many accounts gets 200 tries in a quarter of an hour, and right logins are none of them", async () => {
    const { student } = await someone();
    const address = "192.0.2.99";
    for (let time = 0; time < 3; time++) expect((await login(student, address)).status).toBe(200);
    await countBefore(195, ["loginAddress", address]);
    const guesses = await Promise.all(Array.from({ length: 8 }, () => guess(newStudent(), address)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(3);
  });

  test("of a code gets five tries at each and twenty a day, by e-mail and by phone together, and the owner hears of it", async () => {
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
    // From now on not even the right code opens the account to a stranger's device.
    await visitor.post("/api/v1/users/generate-otp-for-login", { email });
    const verifyCode = await newestCode(store, email);
    expect((await enter({ phone, verifyCode }, OWNERS)).status).toBe(401);
    expect((await enter({ email, verifyCode }, OWNERS)).status).toBe(401);
    store.clock.advance({ seconds: 1 });
    expect((await askForCode(student, OWNERS)).status).toBe(200);
    const [mail] = await mailsTo(store, email);
    expect(mail).toMatchObject({
      subject: "Codes for your Print Store account are refused for now",
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

  test("of a sign-up's code does not start anew with another sign-up", async () => {
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
    expect(mails[0]?.subject).toBe("Codes for your Print Store account are refused for now");
    expect(mails.filter(({ kind }) => kind === "account-verify")).toHaveLength(4);
  });
});

describe("strangers who use up the tries of a code", () => {
  test("leave those of the owner's device, which are five as well", async () => {
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

describe("strangers who have somebody mailed", () => {
  test("codes cannot flood the mailbox: twenty a day, then one in half an hour, and the last one works meanwhile", async () => {
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

  test("recovery links cannot keep the owner from one that works", async () => {
    const { student } = await someone();
    const askFrom = async (network: string, count: number) => {
      store.clock.advance({ seconds: 1 });
      await Promise.all(addresses(count, network).map((address) => askForLink(student, address)));
      return (await mailsOf(student, "account-recovery")).length;
    };
    expect(await askFrom("10.14", 10)).toBe(10);
    expect(await askFrom("10.24", 10)).toBe(11);
    store.clock.advance({ minutes: 29 });
    expect(await askFrom("10.34", 10)).toBe(11);
    expect((await askForLink(student, OWNERS)).status).toBe(200);
    const [newest] = await mailsOf(student, "account-recovery");
    expect((await reset(linkOf(newest ?? { text: "" }), "a new password")).status).toBe(200);
  });

  test("are told the same, as often, where there is no such account", async () => {
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

describe("a known device", () => {
  const cookieOf = (visitor: ApiClient) => visitor.cookie("device");
  const guessWith = ({ email }: Student, cookie: string) =>
    store
      .visitor()
      .post(
        "/api/v1/users/login",
        { email, password: "a guess" },
        { "X-Forwarded-For": MALLORYS, Cookie: `device=${cookie}` },
      );

  test("names nobody, cannot be read by scripts, and is another one for each account and after a new password", async () => {
    const { visitor, student } = await signedInStudent(store);
    const cookie = cookieOf(visitor);
    expect(cookie).toMatch(/^[\w-]{22}\.[\w-]{43}$/);
    const again = await store.visitor().post("/api/v1/users/login", student);
    expect(again.headers.getSetCookie().find((each) => each.startsWith("device="))).toMatch(
      /; Path=\/; Expires=.*; HttpOnly; SameSite=Lax/,
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

  test("has ten wrong passwords in a quarter of an hour and forty a day, and a right one forgives them", async () => {
    const { visitor, student } = await someone();
    const cookie = cookieOf(visitor);
    expect(await statusesOf(9, () => guessWith(student, cookie))).toBe("401 ×9");
    expect((await login(student, OWNERS, visitor)).status).toBe(200);
    for (let quarters = 0; quarters < 4; quarters++) {
      expect(await statusesOf(11, () => guessWith(student, cookie))).toBe("401 ×10, 429 ×1");
      store.clock.advance({ minutes: 15 });
    }
    expect((await guessWith(student, cookie)).status).toBe(429);
  });
});

test("a session that somebody stole has its own guesses at the password, and takes none of the owner's", async () => {
  const { visitor, student } = await signedInStudent(store);
  const stolen = store.visitor();
  await stolen.post("/api/v1/users/login", student);
  const change = (client: ApiClient, currentPassword: string) =>
    client.mutate("accounts.changePassword", {
      currentPassword,
      password: "a new password",
      confirmpassword: "a new password",
    });
  expect(await statusesOf(12, () => change(stolen, "a guess"))).toBe("422 ×10, 429 ×2");
  expect((await change(visitor, student.password)).status).toBe(200);
});
