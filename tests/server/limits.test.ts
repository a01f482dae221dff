import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import type { Account } from "#server/accounts/accounts.queries.ts";
import { countLogin } from "#server/accounts/login-attempts.ts";
import type { Context } from "#server/context.ts";
import { AppError } from "#server/errors.ts";
import { createLimits, type LimitUse } from "#server/http/rate-limit.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { createLog } from "#server/lib/log.ts";
import { orderFor } from "../factories/orders.ts";
import { shopIds } from "../factories/staff.ts";
import { newStudent, signedInStudent } from "../factories/students.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { openTempDatabase, tempDatabaseUrl } from "../setup/temporary.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

/** Servers that share their files may share any database. */
const TOKEN = Buffer.from(JSON.stringify({ apiKey: "sk_live_1", appId: "a1", regions: ["bom1"] })).toString(
  "base64",
);

const stores: TestStore[] = [];
let shared: Record<string, string>;
beforeEach(async () => {
  shared = {
    DATABASE_URL: await tempDatabaseUrl(),
    SECRET: "one secret for all servers of a store",
    UPLOADTHING_TOKEN: TOKEN,
    RATE_LIMIT_SCALE: "1",
  };
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.stop();
});

async function startServer(settings = shared): Promise<TestStore> {
  const store = await startTestStore({ SEED_DEMO: "false", ...settings });
  stores.push(store);
  return store;
}

function guess(store: TestStore, email = "a@b.cc", headers: Record<string, string> = {}) {
  return store.visitor().post("/api/v1/users/login", { email, password: "guess" }, headers);
}

async function guesses(store: TestStore, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await guess(store)).status);
  return statuses;
}

describe("a rate limit", () => {
  test("is shared by all servers of a database", async () => {
    const [one, other] = [await startServer(), await startServer()];
    expect(await guesses(one, 6)).toEqual(Array(6).fill(401));
    expect(await guesses(other, 5)).toEqual([401, 401, 401, 401, 429]);
    expect(await guesses(one, 1)).toEqual([429]);
  });

  test("allows exactly its number when two servers count at the same moment", async () => {
    const [one, other] = [await startServer(), await startServer()];
    const tries = Array.from({ length: 30 }, (_, index) => guess(index % 2 === 0 ? one : other));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test("counts each call of a batch", async () => {
    const store = await startServer();
    const calls = Array.from({ length: 20 }, () => ({ email: "a@b.cc", password: "guess" }));
    const path = `/api/trpc/${calls.map(() => "accounts.login").join(",")}?batch=1`;
    const { body } = await store.visitor().post(path, { ...calls });
    const statuses = body.map(({ error }: ApiAnswer["body"]) => error.data.httpStatus);
    expect(statuses.sort()).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  });

  test("survives a restart", async () => {
    const first = await startServer();
    await guesses(first, 10);
    await stores.pop()?.stop();
    expect(await guesses(await startServer(), 1)).toEqual([429]);
  });

  test("starts again exactly when its period ends", async () => {
    const [one, other] = [await startServer(), await startServer()];
    other.clock.set(one.clock.now());
    await guesses(one, 10);
    one.clock.advance({ minutes: 15 });
    other.clock.advance({ minutes: 14, seconds: 59 });
    const refused = await guess(other);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(refused.body.message).toMatch(
      /^Too many attempts\. Please try again in 1 second, or choose a new password by/,
    );
    expect(await guesses(one, 11)).toEqual([...Array(10).fill(401), 429]);
  });

  test("stores nothing personal, and nothing that has expired", async () => {
    const store = await startServer();
    await guess(store, "asha@college.example");
    const counts = () => store.deps.db.selectFrom("rate_limits").selectAll().execute();
    expect((await counts()).map(({ key }) => key.replace(/:[\w-]{43}$/, ":hash")).sort()).toEqual([
      "loginAccount:hash",
      "loginAddress:hash",
      "loginPair:hash",
      "loginPairDay:hash",
    ]);
    store.clock.advance({ hours: 24 });
    await store.deps.limits.deleteExpired();
    expect(await counts()).toEqual([]);
  });

  test("of a pair is not counted if the other one refuses, and keeps its count", async () => {
    const { deps } = await startServer({ ...shared, RATE_LIMIT_SCALE: "0.001" });
    const take = (address: string, account: string) =>
      deps.limits.takeAll(["loginAddress", address], ["loginPair", account, address]);
    const points = async () =>
      (await deps.db.selectFrom("rate_limits").select(["key", "points"]).execute())
        .map(({ key, points }) => `${key.split(":")[0]} ${points}`)
        .sort();
    await take("192.0.2.1", "asha");
    expect(await points()).toEqual(["loginAddress 1", "loginPair 1"]);
    await expect(take("192.0.2.1", "asha")).rejects.toMatchObject({
      code: "RATE_LIMITED",
      limit: "loginPair",
    });
    expect(await points()).toEqual(["loginAddress 2", "loginPair 1"]);
    await expect(take("192.0.2.1", "ravi")).rejects.toMatchObject({ retryAfterSeconds: 900 });
    await expect(take("192.0.2.1", "ravi")).rejects.toMatchObject({ limit: "loginAddress" });
    expect(await points()).toEqual(["loginAddress 2", "loginPair 1"]);
  });

  test("counts a failed action, whose changes are rolled back", async () => {
    const { deps } = await startServer({ ...shared, RATE_LIMIT_SCALE: "0.05" });
    const mark = (key: string) => ({ key, points: 0, expires_at: deps.now().toISOString() });
    const marking = (...keys: string[]) =>
      deps.limits.within(["orderAccount", "asha"], async (trx) => {
        for (const key of keys) await trx.insertInto("rate_limits").values(mark(key)).execute();
        if (keys.includes("no")) throw new Error("No");
        return keys.length;
      });
    const kept = async () =>
      (await deps.db.selectFrom("rate_limits").select(["key", "points"]).orderBy("key").execute()).map(
        ({ key, points }) => `${key.split(":")[0]} ${points}`,
      );
    await expect(marking("a", "no")).rejects.toThrow("No");
    expect(await kept()).toEqual(["orderAccount 1"]);
    expect(await Promise.all([marking("c"), marking("d", "e")])).toEqual([1, 2]);
    await expect(marking("f")).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 3600 });
    await expect(marking("g")).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await kept()).toEqual(["c 0", "d 0", "e 0", "orderAccount 3"]);
  });

  test("treats the addresses of one IPv6 network as one address", async () => {
    const store = await startServer({ ...shared, RATE_LIMIT_SCALE: "0.001" });
    const from = async (address: string) =>
      (await guess(store, `${address.replaceAll(":", "-")}@b.cc`, { "X-Forwarded-For": address })).status;
    expect(await from("2001:db8:1:2::1")).toBe(401);
    expect(await from("2001:db8:1:2:ffff::2")).toBe(401);
    expect(await from("2001:db8:1:2:3:4:5:6")).toBe(429);
    expect(await from("2001:db8:1:3::1")).toBe(401);
    expect(await from("192.0.2.1")).toBe(401);
    expect(await from("::ffff:192.0.2.1")).toBe(401);
    expect(await from("192.0.2.1")).toBe(429);
  });
});

test.each([
  ["login", "/api/v1/users/login", { email: "*@b.cc", password: "guess" }, 2],
  [
    "registration",
    "/api/v1/users/register",
    { email: "*@b.cc", phone: "900000000*", fullName: "A", password: "p*", confirmpassword: "p*" },
    1,
  ],
  ["messages", "/api/v1/users/contactus", { email: "*@b.cc", fullName: "A", message: "*" }, 1],
])("%s is limited per address, across accounts", async (_name, path, body, allowed) => {
  const store = await startServer({ ...shared, RATE_LIMIT_SCALE: "0.001" });
  let count = 0;
  const call = () =>
    store.visitor().post(path, JSON.parse(JSON.stringify(body).replaceAll("*", String(count++))));
  for (let time = 0; time < allowed; time++) expect((await call()).status).not.toBe(429);
  expect((await call()).status).toBe(429);
});

test.each([
  ["codes", "generate-otp-for-login", "account-login"],
  ["links", "fpmail", "account-recovery"],
])(
  "mailed %s are limited per address, not counting requests for unknown accounts",
  async (_name, path, kind) => {
    const open = await startServer({ ...shared, RATE_LIMIT_SCALE: "0" });
    const students = [];
    for (let count = 0; count < 3; count++) students.push((await signedInStudent(open)).student);
    const store = await startServer({ ...shared, RATE_LIMIT_SCALE: "0.001" });
    const ask = async ({ email }: { email: string }) =>
      (await store.visitor().post(`/api/v1/users/${path}`, { email })).status;
    // Of requests there may be five, mailed or not.
    expect(await ask(newStudent())).toBe(200);
    const statuses = [];
    for (const student of students) statuses.push(await ask(student));
    expect(statuses).toEqual([200, 200, 429]);
    const mailed = store.deps.readDb.selectFrom("outbox").select("id").where("kind", "=", kind);
    expect(await mailed.execute()).toHaveLength(2);
    // Otherwise the refusal would tell who has an account.
    expect(await ask(newStudent())).toBe(429);
  },
);

test.each([
  ["codes requested", "v1/users/generate-otp-for-login", 200, "otpSendPair"],
  ["verification codes requested", "trpc/accounts.resendVerification", 200, "otpSendPair"],
  ["codes entered", "v1/users/login-with-otp", 401, "otpTryPair"],
  ["links requested", "v1/users/fpmail", 200, "recoveryPair"],
])(
  "%s are limited per address, so that one host cannot fill the disk with counts, and a known device is exempt",
  async (_name, path, status, pair) => {
    const open = await startServer({ ...shared, RATE_LIMIT_SCALE: "0" });
    const { visitor, student } = await signedInStudent(open);
    const store = await startServer({ ...shared, RATE_LIMIT_SCALE: "0.001" });
    store.deps.minimumAnswerMs = 0;
    const ask = async ({ email, phone }: { email: string; phone: string }, by = store.visitor()) => {
      const who = path.endsWith("resendVerification") ? { phone } : { email };
      return (await by.post(`/api/${path}`, { ...who, verifyCode: "000000" })).status;
    };
    const statuses = [];
    for (let times = 0; times < 8; times++) statuses.push(await ask(newStudent()));
    expect(statuses).toEqual([...Array(5).fill(status), 429, 429, 429]);
    const keys = await store.deps.readDb.selectFrom("rate_limits").select("key").execute();
    expect(keys.filter(({ key }) => key.startsWith(`${pair}:`))).toHaveLength(5);
    if (!path.endsWith("resendVerification")) expect(await ask(student, visitor.at(store))).toBe(status);
  },
);

test("orders, receipts and reports of printing errors are limited per account, failed ones included", async () => {
  const store = await startTestStore({ RATE_LIMIT_SCALE: "0.01" });
  stores.push(store);
  const { visitor } = await signedInStudent(store);
  const [shopId] = await shopIds(store);
  const order = await orderFor(visitor, { shopId });
  const place = () => visitor.post("/api/v1/prints/printorder", order);
  const placed = await place();
  expect([placed.status, (await place()).status]).toEqual([200, 429]);

  const receipt = () => visitor.get("/orders/none/receipt.pdf");
  expect([(await receipt()).status, (await receipt()).status]).toEqual([404, 429]);

  const report = () =>
    visitor.mutate("reprints.report", { orderId: placed.body.data._id, reason: "The ink is smeared" });
  expect([(await report()).status, (await report()).status]).toEqual([409, 429]);
});

test("messages of somebody who is logged in count for their account, whatever e-mail they type", async () => {
  const store = await startTestStore({ RATE_LIMIT_SCALE: "0.1" });
  stores.push(store);
  const [one, two] = [await signedInStudent(store), await signedInStudent(store)];
  const write = async ({ visitor }: typeof one, email: string) => {
    const message = { fullName: "A", email, message: "Where is my order?" };
    return (await visitor.post("/api/v1/users/contactus", message)).status;
  };
  expect([await write(one, "a@b.cc"), await write(two, "a@b.cc")]).toEqual([200, 200]);
  expect(await write(one, "c@b.cc")).toBe(429);
});

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** So many uses in a period that is counted from the first; what each step must answer. */
class LimitModel {
  readonly #most: number;
  readonly #periodMs: number;
  readonly #windows = new Map<string, { count: number; endsAt: number }>();
  /** Refusals that the server remembers without asking its database. */
  readonly #refused = new Map<string, number>();

  constructor(most: number, periodMs: number) {
    this.#most = most;
    this.#periodMs = periodMs;
  }

  /** Null if the use counts; otherwise for how many ms there is none. */
  use(key: string, now: number): number | null {
    const open = this.#open(key, now) ?? { count: 0, endsAt: now + this.#periodMs };
    if (open.count >= this.#most) {
      this.#refused.set(key, open.endsAt);
      return open.endsAt - now;
    }
    this.#windows.set(key, { ...open, count: open.count + 1 });
    return null;
  }

  hasLeft(key: string, now: number): boolean {
    return (this.#open(key, now)?.count ?? 0) < this.#most;
  }

  remembered(key: string, now: number): number | null {
    const left = (this.#refused.get(key) ?? 0) - now;
    return left > 0 ? left : null;
  }

  giveBack(key: string): void {
    this.#refused.delete(key);
    const window = this.#windows.get(key);
    if (window) this.#windows.set(key, { ...window, count: Math.max(0, window.count - 1) });
  }

  forgive(key: string): void {
    this.#refused.delete(key);
    this.#windows.delete(key);
  }

  #open(key: string, now: number) {
    const window = this.#windows.get(key);
    return window && window.endsAt > now ? window : undefined;
  }
}

test("what was never used cannot be given back: there are still five uses and no sixth", async () => {
  const { db } = await openTempDatabase();
  const limits = createLimits(
    { db, now: () => new Date(), keyring: createKeyring("a secret of this test") },
    1,
  );
  await limits.use("otpSendPair", "asha");
  for (let times = 0; times < 3; times++) await limits.giveBack([["otpSendPair", "asha"]]);
  for (let uses = 0; uses < 5; uses++) await limits.use("otpSendPair", "asha");
  await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("five uses in a period and no sixth, whatever was used, given back, forgiven or waited for between", async () => {
  const { db } = await openTempDatabase();
  const keyring = createKeyring("a secret of this test, long enough");
  const step = fc.record({
    what: fc.constantFrom("use", "use", "try", "look", "recall", "give back", "forgive", "clean up"),
    // A limit shows only where it is reached.
    times: fc.integer({ min: 1, max: 6 }),
    who: fc.constantFrom("asha", "asha", "asha", "ravi"),
    waitMs: fc.constantFrom(0, 0, 0, 0, 1, 60_000, 15 * 60_000 - 1, 15 * 60_000),
  });
  const sequences = fc
    .array(step, { minLength: 5, maxLength: 20, size: "max" })
    .map((steps) =>
      steps.flatMap(({ times, ...first }) => [first, ...Array(times - 1).fill({ ...first, waitMs: 0 })]),
    );
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(sequences, async (steps) => {
      let now = Date.parse("2026-11-21T09:30:00.000Z");
      const limits = createLimits({ db, now: () => new Date(now), keyring }, 1);
      const model = new LimitModel(5, QUARTER_MS);
      const run = `run ${runs++}`;
      const secondsRefused = async (call: () => unknown) => {
        try {
          await call();
          return null;
        } catch (error) {
          return error instanceof AppError ? error.retryAfterSeconds : error;
        }
      };
      const seconds = (ms: number | null) => ms && Math.ceil(ms / 1000);
      for (const { what, who, waitMs } of steps) {
        now += waitMs;
        const key = `${run} ${who}`;
        const use: LimitUse = ["otpSendPair", key];
        if (what === "use") {
          expect(await secondsRefused(() => limits.use("otpSendPair", key))).toBe(
            seconds(model.use(who, now)),
          );
        } else if (what === "try") {
          const isLeft = model.use(who, now) === null;
          expect(await transact(db, (trx) => limits.tryUse(trx, use))).toBe(isLeft);
        } else if (what === "look") {
          expect(await transact(db, (trx) => limits.hasLeft(trx, use))).toBe(model.hasLeft(who, now));
        } else if (what === "recall") {
          expect(await secondsRefused(() => limits.refuseExhausted("otpSendPair", key))).toBe(
            seconds(model.remembered(who, now)),
          );
        } else if (what === "give back") {
          await limits.giveBack([use]);
          model.giveBack(who);
        } else if (what === "forgive") {
          await limits.forgive([use]);
          model.forgive(who);
        } else await limits.deleteExpired();
      }
    }),
    { numRuns: 40 },
  );
});

test("a login is refused exactly when wrong ones have used up the tries of its device, its address or its account", async () => {
  const { db } = await openTempDatabase();
  const keyring = createKeyring("a secret of this test, long enough");
  // A twentieth of each limit: one wrong password from an address, two a day, and ten a day for an account.
  const step = fc.record({
    who: fc.constantFrom("asha", "asha", "asha", "ravi"),
    from: fc.integer({ min: 1, max: 8 }),
    isKnown: fc.constantFrom(false, false, false, true),
    isRight: fc.constantFrom(false, false, false, true),
    hasNewPassword: fc.constantFrom(...Array<boolean>(15).fill(false), true),
    waitMs: fc.constantFrom(0, 0, 0, QUARTER_MS - 1, QUARTER_MS, DAY_MS),
  });
  const steps = fc.array(step, { minLength: 20, maxLength: 40, size: "max" });
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (logins) => {
      const run = runs++;
      let now = Date.parse("2026-11-21T09:30:00.000Z");
      const limits = createLimits({ db, now: () => new Date(now), keyring }, 0.05);
      const quarter = new LimitModel(1, QUARTER_MS);
      const day = new LimitModel(2, DAY_MS);
      const account = new LimitModel(10, DAY_MS);
      const passwords = { asha: 0, ravi: 0 };
      for (const { who, from, isKnown, isRight, hasNewPassword, waitMs } of logins) {
        now += waitMs;
        if (hasNewPassword) passwords[who as "asha"]++;
        const passwordHash = `${passwords[who as "asha"]}`;

        const [own, whole] = [`${who} ${passwordHash} ${isKnown ? "known" : from}`, `${who} ${passwordHash}`];
        const isFree =
          quarter.use(own, now) === null &&
          day.use(own, now) === null &&
          (isKnown || account.use(whole, now) === null);
        if (isFree && isRight) {
          quarter.forgive(own);
          day.forgive(own);
          if (!isKnown) account.giveBack(whole);
        }

        const ctx = { limits, keyring, address: `${run} ${from}`, log: createLog("silent"), requestId: "1" };
        const device = isKnown ? `${run} device of ${who} ${passwordHash}` : null;
        const known = { passwordHash, verified: true } as Account;
        const outcome = await countLogin(ctx as unknown as Context, `${who} ${run}`, {
          account: known,
          device,
        }).catch((error) => error.code);
        if (isRight) await outcome.succeeded?.();
        expect(outcome === "RATE_LIMITED" ? "refused" : "checked").toBe(isFree ? "checked" : "refused");
      }
    }),
    { numRuns: 25 },
  );
});
