import { describe, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { createLimits, networkOf } from "#server/http/rate-limit.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { openTempDatabase } from "../setup/temporary.ts";

const REFUSED = { code: "RATE_LIMITED" };

/** Limits in a database of their own, at a time that stands still. */
async function openLimits(scale = 1) {
  const { db } = await openTempDatabase();
  const clock = { ms: Date.parse("2026-11-21T09:30:00.000Z") };
  const keyring = createKeyring("a secret of this test");
  const limits = createLimits({ db, now: () => new Date(clock.ms), keyring }, scale);
  const exhaust = async (key: string) => {
    for (let uses = 0; uses < 5; uses++) await limits.use("otpSendPair", key);
  };
  const hasLeft = (key: string) => transact(db, (trx) => limits.hasLeft(trx, ["otpSendPair", key]));
  const usesOf = (key: string) => transact(db, (trx) => limits.uses(trx, ["otpSendPair", key]));
  const recall = (key: string) => () => limits.refuseExhausted("otpSendPair", key);
  return { db, clock, limits, exhaust, hasLeft, usesOf, recall };
}

describe("five codes in 15 minutes", () => {
  test("are refused whichever way the sixth is asked for, and nothing is done", async () => {
    const { db, limits, exhaust, hasLeft, recall } = await openLimits();
    expect(await hasLeft("asha")).toBe(true);
    for (let uses = 0; uses < 4; uses++) await limits.use("otpSendPair", "asha");
    expect([await hasLeft("asha"), recall("asha")()]).toEqual([true, undefined]);
    await exhaust("ravi");
    await limits.takeAll(["otpSendPair", "veena"], ["otpSendPair", "kiran"]);
    await transact(db, (trx) => limits.take(trx, ["otpSendPair", "veena"]));
    expect(await limits.within(["otpSendPair", "veena"], async () => "sent")).toBe("sent");
    expect(await transact(db, (trx) => limits.tryUse(trx, ["otpSendPair", "asha"]))).toBe(true);

    expect(await hasLeft("asha")).toBe(false);
    expect(recall("asha")).not.toThrow();
    expect(await transact(db, (trx) => limits.tryUse(trx, ["otpSendPair", "asha"]))).toBe(false);
    await expect(transact(db, (trx) => limits.take(trx, ["otpSendPair", "asha"]))).rejects.toMatchObject(
      REFUSED,
    );
    await expect(limits.takeAll(["otpSendPair", "asha"])).rejects.toMatchObject(REFUSED);
    const fail = () => Promise.reject(new Error("The mail server is away"));
    await expect(limits.within(["otpSendPair", "kiran"], fail)).rejects.toThrow("The mail server is away");
    const act = async () => expect.unreachable("ran all the same");
    await expect(limits.within(["otpSendPair", "asha"], act)).rejects.toMatchObject(REFUSED);
    expect(recall("asha")).toThrow(expect.objectContaining({ ...REFUSED, retryAfterSeconds: 900 }));
    expect(await hasLeft("veena")).toBe(true);
  });

  test("are all there again at the end of the time, and not a moment earlier", async () => {
    const { clock, limits, exhaust, hasLeft, usesOf, recall } = await openLimits();
    await exhaust("asha");
    await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject(REFUSED);
    clock.ms += 15 * MINUTE_MS - 1;
    expect([await hasLeft("asha"), await usesOf("asha")]).toEqual([false, 5]);
    expect(recall("asha")).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }));
    await limits.deleteExpired();
    await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject(REFUSED);

    clock.ms++;
    expect([await hasLeft("asha"), await usesOf("asha")]).toEqual([true, 0]);
    expect(recall("asha")).not.toThrow();
    await exhaust("asha");
    await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject({ retryAfterSeconds: 900 });
  });

  test("are all there again once they are forgiven, those of others are not", async () => {
    const { limits, exhaust, hasLeft, recall } = await openLimits();
    for (const key of ["asha", "ravi", "veena"]) {
      await exhaust(key);
      await expect(limits.use("otpSendPair", key)).rejects.toMatchObject(REFUSED);
    }
    await limits.forgive([
      ["otpSendPair", "asha"],
      ["otpSendPair", "ravi"],
    ]);
    for (const key of ["asha", "ravi"]) {
      expect(recall(key)).not.toThrow();
      await exhaust(key);
    }
    expect(await hasLeft("veena")).toBe(false);
  });

  test("are one more for each that is given back, unless the transaction that gives it back fails", async () => {
    const { db, limits, exhaust, recall } = await openLimits();
    await limits.use("otpSendPair", "asha");
    await limits.giveBack([["otpSendPair", "asha"]]);
    await exhaust("asha");
    await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject(REFUSED);
    await limits.giveBack([["otpSendPair", "asha"]]);
    expect(recall("asha")).not.toThrow();
    await limits.use("otpSendPair", "asha");
    await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject(REFUSED);

    const fail = transact(db, async (trx) => {
      await limits.giveBack([["otpSendPair", "asha"]], trx);
      throw new Error("No");
    });
    await expect(fail).rejects.toThrow("No");
    await expect(limits.use("otpSendPair", "asha")).rejects.toMatchObject(REFUSED);
  });
});

test("a refusal says in seconds, minutes or hours when to try again, never too early", async () => {
  const { clock, limits } = await openLimits(0.001);
  await limits.use("codeTryAccount", "asha");
  const end = clock.ms + 24 * 60 * MINUTE_MS;
  const toldBefore = async (msLeft: number) => {
    clock.ms = end - msLeft;
    const refusal = await limits.use("codeTryAccount", "asha").catch((error) => error);
    return [refusal.message, refusal.retryAfterSeconds];
  };
  const told = (time: string, seconds: number) => [`Too many attempts. Please try again in ${time}`, seconds];
  expect(await toldBefore(120 * MINUTE_MS + 1)).toEqual(told("3 hours", 7201));
  expect(await toldBefore(120 * MINUTE_MS)).toEqual(told("2 hours", 7200));
  expect(await toldBefore(120 * MINUTE_MS - 1000)).toEqual(told("120 minutes", 7199));
  expect(await toldBefore(MINUTE_MS + 1)).toEqual(told("2 minutes", 61));
  expect(await toldBefore(MINUTE_MS)).toEqual(told("1 minute", 60));
  expect(await toldBefore(58_001)).toEqual(told("59 seconds", 59));
  expect(await toldBefore(1)).toEqual(told("1 second", 1));
});

test("uses are counted by the whole account and the whole address", async () => {
  const { db, limits } = await openLimits(0.0001);
  await limits.takeAll(["loginPair", "asha1", "92.0.2.1"]);
  for (const key of [
    ["asha", "192.0.2.1"],
    ["asha1", "92.0.2.2"],
  ])
    expect(await transact(db, (trx) => limits.hasLeft(trx, ["loginPair", ...key]))).toBe(true);
});

test("a refused person is told what to do instead", async () => {
  const { limits } = await openLimits(0.0001);
  await limits.use("registerAddress", "192.0.2.1");
  await expect(limits.use("registerAddress", "192.0.2.1")).rejects.toMatchObject({
    message: "Too many attempts. Please try again in 15 minutes, or use another network, such as mobile data",
    limit: "registerAddress",
  });
});

test("a store whose limits are turned off refuses nothing", async () => {
  const { db, clock, limits, exhaust, recall } = await openLimits(0);
  await exhaust("asha");
  await exhaust("asha");
  const [first, other] = [
    ["otpSendPair", "asha"],
    ["loginPair", "asha"],
  ] as const;
  await limits.takeAll(first, other);
  const asked = await transact(db, async (trx) => {
    await limits.take(trx, first);
    return [await limits.tryUse(trx, first), await limits.hasLeft(trx, first)];
  });
  expect(asked).toEqual([true, true]);
  expect(await limits.within(first, async (trx) => trx.isTransaction)).toBe(true);
  await limits.forgive([first]);
  await limits.giveBack([first]);
  expect(recall("asha")).not.toThrow();

  const expired = { key: "counted before they were turned off", points: 1 };
  const expires_at = new Date(clock.ms).toISOString();
  await db
    .insertInto("rate_limits")
    .values({ ...expired, expires_at })
    .execute();
  await limits.deleteExpired();
  expect(await db.selectFrom("rate_limits").selectAll().execute()).toEqual([]);
});

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["2001:db8:1:2::1", "2002:db8:1:2::1", false],
  ["2001:db8::1", "2001:db8::ffff:192.0.2.1", true],
  ["192.0.2.1", "::ffff:192.0.2.1", true],
  ["192.0.2.1", "::FFFF:192.0.2.1", true],
  ["192.0.2.1", "192.0.2.2", false],
])("%s and %s count as one network: %s", (one, other, isOne) => {
  expect(networkOf(one) === networkOf(other)).toBe(isOne);
});
