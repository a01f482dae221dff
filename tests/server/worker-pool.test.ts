import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Share } from "#server/lib/fair-limit.ts";
import { workerFailures } from "#server/lib/metrics.ts";
import { type WorkerPlan, WorkerPool } from "#server/lib/worker-pool.ts";
import { tempFolder } from "../setup/temporary.ts";

const SHARE: Share = { things: "files", atOnce: 1, waiting: 20, hourlyMs: 60_000 };
const LIMIT_MS = 10_000;

/** Returns the thread's id once its gate is open. */
const GATED = `
import { parentPort, threadId } from "node:worker_threads";
parentPort.on("message", ({ gate }) => {
  Atomics.add(gate, 1, 1);
  Atomics.notify(gate, 1);
  Atomics.wait(gate, 0, 0);
  parentPort.postMessage({ ok: true, output: threadId, exhausted: false });
});
parentPort.postMessage("ready");`;

/** Blocks a job until it is opened. */
class Gate {
  readonly gate = new Int32Array(new SharedArrayBuffer(8));

  /** The number of workers that have reached it. */
  get arrivals(): number {
    return Atomics.load(this.gate, 1);
  }

  async reached(): Promise<void> {
    const waiting = Atomics.waitAsync(this.gate, 1, 0);
    if (waiting.async) await waiting.value;
  }

  open(): this {
    Atomics.store(this.gate, 0, 1);
    Atomics.notify(this.gate, 0);
    return this;
  }
}

type Request = Pick<Gate, "gate">;

async function poolOf(code: string, plan: Partial<WorkerPlan> = {}): Promise<WorkerPool<Request, number>> {
  const path = join(await tempFolder(), "worker.mjs");
  await writeFile(path, code);
  const pool = new WorkerPool<Request, number>({ module: pathToFileURL(path), resourceLimits: {}, ...plan });
  onTestFinished(() => pool.close());
  return pool;
}

function run(
  pool: WorkerPool<Request, number>,
  { gate }: Gate,
  account: string,
  signal?: AbortSignal,
): Promise<number | null> {
  return pool.run({ gate }, { limitMs: LIMIT_MS, account, signal });
}

test("a worker that cannot start fails its request, and the next request works once it can", async () => {
  const path = join(await tempFolder(), "worker.mjs");
  await writeFile(path, `throw new Error("no engine here");`);
  const pool = new WorkerPool<Request, number>({ module: pathToFileURL(path), resourceLimits: {} });
  onTestFinished(() => pool.close());

  pool.prepare("a");
  await expect(run(pool, new Gate().open(), "a")).rejects.toThrow("no engine here");
  await writeFile(path, GATED);
  expect(await run(pool, new Gate().open(), "a")).toEqual(expect.any(Number));
});

test("other accounts run before the second job of the first", async () => {
  const pool = await poolOf(GATED);
  const first = new Gate();
  const order: string[] = [];
  const done = [run(pool, first, "a")];
  await first.reached();
  for (const name of ["a2", "a3", "b1"]) {
    const job = run(pool, new Gate().open(), name.charAt(0));
    done.push(job.finally(() => order.push(name)));
  }
  first.open();
  await Promise.all(done);
  expect(order).toEqual(["b1", "a2", "a3"]);
});

test("an account reuses its worker, another account gets a second one, and both end when idle", async () => {
  const pool = await poolOf(GATED, { workers: 2, share: SHARE, restMs: 50 });
  const slow = new Gate();
  const held = [run(pool, slow, "a"), run(pool, new Gate().open(), "a")];
  await slow.reached();
  const other = await run(pool, new Gate().open(), "b");
  slow.open();
  const [first, second] = await Promise.all(held);
  expect(other).not.toBe(first);
  expect([first, other]).toContain(second);
  await expect
    .poll(async () => [first, other].includes(await run(pool, new Gate().open(), "a")), { interval: 200 })
    .toBe(false);
});

test("a second worker is started where the first is never free for long, however short its jobs", async () => {
  const pool = await poolOf(GATED, { workers: 2 });
  const workers = new Set([await run(pool, new Gate().open(), "a")]);
  const until = performance.now() + LIMIT_MS;
  const keepBusy = async () => {
    while (workers.size < 2 && performance.now() < until)
      workers.add(await run(pool, new Gate().open(), "a"));
  };
  await Promise.all([keepBusy(), keepBusy(), keepBusy()]);
  expect(workers.size).toBe(2);
});

test("a worker that was free is waited for again, however long it was busy before", async () => {
  const pool = await poolOf(GATED, { workers: 2 });
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const runTwo = async () => {
    const gate = new Gate();
    const first = run(pool, gate, "a");
    await gate.reached();
    const second = run(pool, new Gate().open(), "b");
    await vi.advanceTimersByTimeAsync(49);
    gate.open();
    return Promise.all([first, second]);
  };
  const [only] = await runTwo();
  vi.advanceTimersByTime(60_000);
  expect(await runTwo()).toEqual([only, only]);
});

test("a job nobody waits for is not started, or is ended with its worker, and the next one runs", async () => {
  const pool = await poolOf(GATED);
  const [running, queued] = [new Gate(), new Gate()];
  const client = new AbortController();
  const left = Promise.allSettled([
    run(pool, running, "a", client.signal),
    run(pool, queued, "a", client.signal),
  ]);
  await running.reached();
  const stays = run(pool, new Gate().open(), "a");
  client.abort("gone");
  const nobodyWaits = { status: "rejected", reason: { code: "BAD_REQUEST", cause: "gone" } };
  expect(await left).toMatchObject([nobodyWaits, nobodyWaits]);
  expect(await stays).toEqual(expect.any(Number));
  expect(queued.arrivals).toBe(0);
  await expect(run(pool, queued, "a", client.signal)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

/** Resolves once the next worker to be started has ended. */
function nextWorkerEnds(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once("worker", (worker: Worker) => resolve(once(worker, "exit")));
  });
}

test("a job ended at its time limit frees its core and is charged too, so that its account is refused in the end", async () => {
  const pool = await poolOf(GATED, { share: { ...SHARE, hourlyMs: 250 } });
  const ended = nextWorkerEnds();
  expect(await pool.run({ gate: new Gate().gate }, { limitMs: 300, account: "a" })).toBeNull();
  await ended;
  await expect(run(pool, new Gate().open(), "a")).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(() => pool.prepare("a")).toThrow("Your files took too much processing time in the last hour");
  expect(await run(pool, new Gate().open(), "b")).toEqual(expect.any(Number));
});

test("the start of a worker is charged to no account, however long it takes", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const data = async () => void vi.advanceTimersByTime(2 * SHARE.hourlyMs);
  const pool = await poolOf(GATED, { share: SHARE, data });
  const first = await run(pool, new Gate().open(), "a");
  expect(await run(pool, new Gate().open(), "a")).toBe(first);
});

test("a worker that says it is exhausted gets no other job", async () => {
  const pool = await poolOf(GATED.replace("exhausted: false", "exhausted: true"));
  const first = await run(pool, new Gate().open(), "a");
  expect(await run(pool, new Gate().open(), "a")).not.toBe(first);
});

test("a job that takes more memory than its worker may have gives no result, and the next one runs", async () => {
  const hungry = "if (Atomics.load(gate, 0) === 0) for (const all = []; ; ) all.push(Array(1000).fill(all));";
  const code = GATED.replace("Atomics.wait", `${hungry} Atomics.wait`);
  const pool = await poolOf(code, { resourceLimits: { maxOldGenerationSizeMb: 16 } });
  expect(await run(pool, new Gate(), "a")).toBeNull();
  expect(await run(pool, new Gate().open(), "a")).toEqual(expect.any(Number));
});

test("a worker that exits gives no result for its job, which is counted as a failure, and the next job runs", async () => {
  const failed: unknown[] = [];
  const count = (worker: unknown) => void failed.push(worker);
  workerFailures.subscribe(count);
  onTestFinished(() => void workerFailures.unsubscribe(count));
  const pool = await poolOf(GATED.replace("Atomics.wait", "process.exit(); Atomics.wait"));
  expect(await run(pool, new Gate(), "a")).toBeNull();
  expect(await run(pool, new Gate(), "a")).toBeNull();
  expect(failed).toEqual(["worker.mjs", "worker.mjs"]);
});

test("a worker that exited while idle does not take another one with it at its idle time-out", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const started = new Int32Array(new SharedArrayBuffer(4));
  const firstEndsAfterItsAnswer = `
import { workerData } from "node:worker_threads";
const isFirst = Atomics.add(workerData, 0, 1) === 0;
${GATED.replace("exhausted: false });", "exhausted: false });\n  if (isFirst) process.exit();")}`;
  const pool = await poolOf(firstEndsAfterItsAnswer, { restMs: 60_000, data: async () => started });
  const ended = nextWorkerEnds();
  const first = await run(pool, new Gate().open(), "a");
  await ended;
  await vi.advanceTimersByTimeAsync(40_000);
  const second = await run(pool, new Gate().open(), "a");
  expect(second).not.toBe(first);
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await run(pool, new Gate().open(), "a")).toBe(second);
});
