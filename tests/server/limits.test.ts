import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import type { Account } from "#server/accounts/accounts.queries.ts";
import { countLogin } from "#server/accounts/login-attempts.ts";
import type { Context } from "#server/context.ts";
import { AppError } from "#server/errors.ts";
import { createLimits, type LimitUse } from "#server/http/rate-limit.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { createLog } from "#server/lib/log.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { openTempDatabase } from "../setup/temporary.ts";
import { startTestStore, type TestStore, tempStore } from "../setup/test-store.ts";
import { sharedSettings } from "./limits.fixtures.ts";

let shared: Record<string, string>;
beforeEach(async () => {
  shared = await sharedSettings();
});

function guess(store: TestStore, email = "a@b.cc") {
  return store.visitor().post("/api/v1/users/login", { email, password: "guess" });
}

async function guesses(store: TestStore, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push((await guess(store)).status);
  return statuses;
}

describe("a rate limit", () => {
  test("is shared by all servers of a database", async () => {
    const [one, other] = [await tempStore(shared), await tempStore(shared)];
    expect(await guesses(one, 6)).toEqual(Array(6).fill(401));
    expect(await guesses(other, 5)).toEqual([401, 401, 401, 401, 429]);
    expect(await guesses(one, 1)).toEqual([429]);
  });

  test("allows exactly its number when two servers count at the same moment", async () => {
    const [one, other] = [await tempStore(shared), await tempStore(shared)];
    const tries = Array.from({ length: 30 }, (_, index) => guess(index % 2 === 0 ? one : other));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });

  test("counts each call of a batch", async () => {
    const store = await tempStore(shared);
    const calls = Array.from({ length: 20 }, () => ({ email: "a@b.cc", password: "guess" }));
    const path = `/api/trpc/${calls.map(() => "accounts.login").join(",")}?batch=1`;
    const { body } = await store.visitor().post(path, { ...calls });
    const statuses = body.map(({ error }: ApiAnswer["body"]) => error.data.httpStatus);
    expect(statuses.sort()).toEqual([...Array(10).fill(401), ...Array(10).fill(429)]);
  });

  test("survives a restart", async () => {
    const first = await startTestStore(shared);
    await guesses(first, 10);
    await first.stop();
    expect(await guesses(await tempStore(shared), 1)).toEqual([429]);
  });

  test("starts again exactly when its period ends", async () => {
    const [one, other] = [await tempStore(shared), await tempStore(shared)];
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
    const store = await tempStore(shared);
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
    const { deps } = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0.001" });
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
    const { deps } = await tempStore({ ...shared, RATE_LIMIT_SCALE: "0.05" });
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
});

const QUARTER_MS = 15 * 60_000;

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
