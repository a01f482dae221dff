import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairLimit, FairQueue, type QueuedJob, type Share, scaledShare } from "#server/lib/fair-limit.ts";

const MINUTE = 60 * 1000;
const SHARE: Share = { things: "files", atOnce: 1, waiting: 3, hourlyMs: 2 * MINUTE };

interface Job extends QueuedJob {
  name: string;
}

/** A queue and its clock; a job's name starts with its account: `a1`. */
function queueFor(workers: number, share?: Share) {
  const clock = { ms: 0 };
  const queue = new FairQueue<Job>({ workers, share }, () => clock.ms);
  const add = (name: string, priority?: number) => queue.add({ name, account: name.charAt(0), priority });
  const take = () => queue.take()?.name;
  /** Runs all jobs one after another, at most ten, and returns their names. */
  const drain = () => {
    const names: string[] = [];
    for (let job = queue.take(); job && names.length < 10; job = queue.take()) {
      names.push(job.name);
      queue.done(job, 1);
    }
    return names;
  };
  return { clock, queue, add, take, drain };
}

test("accounts take turns, however many jobs each has", () => {
  const { add, drain } = queueFor(1);
  for (const name of ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]) add(name);
  expect(drain()).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("an account runs only as many jobs at once as its share allows, and the other workers stay free", () => {
  const { add, take } = queueFor(3, SHARE);
  for (const name of ["a1", "a2", "b1"]) add(name);
  expect([take(), take(), take()]).toEqual(["a1", "b1", undefined]);
});

test("jobs of a higher priority run first, across accounts and within one", () => {
  const { add, drain } = queueFor(1);
  for (const name of ["a1", "a2"]) add(name, 1);
  for (const name of ["b1", "a3"]) add(name, 0);
  expect(drain()).toEqual(["a3", "b1", "a1", "a2"]);
});

test("a job without a priority runs before those that can wait", () => {
  const { add, drain } = queueFor(1);
  add("a1", 1);
  add("b1");
  add("c1", -1);
  expect(drain()).toEqual(["c1", "b1", "a1"]);
});

test("an account with slow jobs has all workers but one", () => {
  const { queue, add, take } = queueFor(4, { ...SHARE, waiting: 10, atOnce: 10 });
  add("a1");
  const job = queue.take();
  if (!job) throw new Error("Nothing was begun");
  queue.done(job, MINUTE);
  for (const name of ["a2", "a3", "a4", "a5"]) add(name);
  expect([take(), take(), take(), take()]).toEqual(["a2", "a3", "a4", undefined]);
});

test("only a waiting job can be removed, and the others stay", () => {
  const { queue, add, drain } = queueFor(1);
  for (const name of ["a1", "a2"]) add(name);
  const begun = queue.take();
  if (!begun) throw new Error("Nothing was begun");
  expect([queue.remove(begun), queue.size]).toEqual([false, 1]);
  const waiting = { name: "a3", account: "a" };
  queue.add(waiting);
  expect([queue.remove(waiting), queue.remove(waiting), queue.size]).toEqual([true, false, 1]);
  queue.done(begun, 1);
  expect(drain()).toEqual(["a2"]);
});

test("an account with slow jobs goes last and leaves one worker free", () => {
  const { queue, clock, add, take } = queueFor(2, { ...SHARE, atOnce: 2 });
  for (const name of ["a1", "a2"]) add(name);
  const [first, second] = [queue.take(), queue.take()];
  if (!first || !second) throw new Error("Nothing was begun");
  queue.done(first, 4000);
  queue.done(second, 4000);
  for (const name of ["a3", "a4", "b1", "b2"]) add(name);
  expect([take(), take(), take()]).toEqual(["b1", "b2", "a3"]);
  expect(take()).toBeUndefined();
  clock.ms += 10 * MINUTE;
  expect(take()).toBe("a4");
});

test("an account that has reached its number of waiting jobs is refused the next one", () => {
  const { queue, add, take } = queueFor(1, SHARE);
  for (const name of ["a1", "a2", "a3"]) add(name);
  const words = "Too many of your files are waiting. Please try again in a minute";
  expect(() => add("a4")).toThrow(expect.objectContaining({ code: "RATE_LIMITED", message: words }));
  expect(() => queue.check("a")).toThrow(words);
  add("b1");
  take();
  add("a4");
});

test("an account that has used up its hour is refused until enough time has passed", () => {
  const { queue, clock, add } = queueFor(1, SHARE);
  add("a1");
  const job = queue.take();
  if (!job) throw new Error("Nothing was begun");
  queue.done(job, 2.5 * MINUTE);
  const words = "Your files took too much processing time in the last hour. Please try again in 15 minutes";
  expect(() => add("a2")).toThrow(
    expect.objectContaining({ code: "RATE_LIMITED", message: words, retryAfterSeconds: 900 }),
  );
  expect(() => queue.check("b")).not.toThrow();
  clock.ms += 14 * MINUTE;
  expect(() => add("a2")).toThrow("in 1 minute");
  clock.ms += MINUTE + 1;
  add("a2");
});

test("when the queue is full, the account with the most jobs loses its last one", () => {
  const { queue, add, take } = queueFor(1, { ...SHARE, waiting: 1000 });
  for (let index = 0; index < 499; index++) add(`a${index}`);
  expect(add("b1")).toBeUndefined();
  expect(add("c1")).toMatchObject({ job: { name: "a498" }, refusal: { code: "RATE_LIMITED" } });
  expect(add("a499")).toMatchObject({ job: { name: "a499" } });
  expect([take(), take(), take()]).toEqual(["a0", "b1", "c1"]);
  expect(queue.size).toBe(497);
});

test("when the queue is full and all accounts have equally many jobs, the newcomer is refused", () => {
  const { queue } = queueFor(1, SHARE);
  for (let index = 0; index < 500; index++) queue.add({ name: "first", account: `${index}` });
  expect(queue.add({ name: "last", account: "last" })).toMatchObject({ job: { name: "last" } });
});

test("when the queue is full, of accounts with equally many jobs the one that asks is refused", () => {
  const queue = new FairQueue<Job>({ workers: 1, share: SHARE, maxWaiting: 3 });
  const add = (name: string) => queue.add({ name, account: name.charAt(0) });
  for (const name of ["a1", "b1", "b2"]) expect(add(name)).toBeUndefined();
  const removed = add("a2");
  expect(removed?.job.name).toBe("a2");
  expect(removed?.refusal.message).toBe("Too many of your files are waiting. Please try again in a minute");
});

test("a share grows with the setting, and is never less than one job", () => {
  expect(scaledShare(SHARE, 2)).toEqual({ ...SHARE, waiting: 6, hourlyMs: 4 * MINUTE });
  expect(scaledShare(SHARE, 0.1)).toMatchObject({ waiting: 1, hourlyMs: 12_000 });
});

test("a waiting job is not run once its caller has gone, and a running one goes on", async () => {
  const limit = new FairLimit({ workers: 1 });
  const [running, waiting] = [new AbortController(), new AbortController()];
  const gate = Promise.withResolvers<string>();
  const first = limit.run({ account: "a", signal: running.signal }, () => gate.promise);
  const second = limit.run({ account: "a", signal: waiting.signal }, async () => "run all the same");
  running.abort();
  waiting.abort(new Error("The tab was closed"));
  await expect(second).rejects.toMatchObject({
    code: "BAD_REQUEST",
    cause: { message: "The tab was closed" },
  });
  gate.resolve("done");
  expect(await first).toBe("done");
  await limit.untilIdle();
  const third = limit.run({ account: "a", signal: running.signal }, async () => "begun too late");
  await expect(third).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("the server's own jobs and accounts without limits are never refused", () => {
  const { queue, add } = queueFor(1, scaledShare(SHARE, 0));
  for (let index = 0; index < 100; index++) {
    add(`a${index}`);
    queue.add({ name: "own" });
  }
  const job = queue.take();
  if (job) queue.done(job, 1000 * MINUTE);
  add("a100");
  expect(queue.size).toBe(200);
});

test("a first job refused by a full queue is told that the queue is full, not that its account has too many jobs", () => {
  const queue = new FairQueue<Job>({ workers: 1, share: SHARE, maxWaiting: 2 });
  const add = (name: string) => queue.add({ name, account: name.charAt(0) });
  for (const name of ["a1", "b1"]) expect(add(name)).toBeUndefined();
  expect(add("c1")?.refusal.message).toBe("Too many files are waiting. Please try again in a minute");
});

test("work that throws synchronously rejects its own caller only, and frees its slot", async () => {
  const limit = new FairLimit({ workers: 1 });
  const broken = limit.run({ account: "a" }, () => {
    throw new Error("at once");
  });
  await expect(broken).rejects.toThrow("at once");
  expect(await limit.run({ account: "b" }, async () => "done")).toBe("done");
  await limit.untilIdle();
  expect(limit.isIdle).toBe(true);
});

test("an account is charged for its work, not for the start of the worker", async () => {
  const spend = async (paysAtOnce: boolean) => {
    const limit = new FairLimit({ workers: 1, share: { ...SHARE, hourlyMs: 50 } });
    await limit.run({ account: "a" }, async (paysFromNow) => {
      await sleep(100);
      if (!paysAtOnce) paysFromNow();
    });
    return () => limit.check("a");
  };
  expect(await spend(true)).toThrow("took too much processing time");
  expect(await spend(false)).not.toThrow();
});
