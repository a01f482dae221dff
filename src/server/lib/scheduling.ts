import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Has this thread come after all others that want its core. Linux counts threads one by one; elsewhere, and where it is
 * not allowed, this one stays as it is.
 */
export function lowerThreadPriority(): void {
  try {
    const thread = basename(readlinkSync("/proc/thread-self"));
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is only slower for the others then.
  }
}

const LOOK_EVERY_MS = 3;
/** The share of its time above which the event loop has something more urgent to do. */
const BUSY = 0.7;

/**
 * Waits until this process has time for what nobody is waiting for, which is when its event loop was idle for a good part
 * of some ms; `atMostMs` at the most, so that it is done in the end.
 */
export async function waitUntilIdle(atMostMs: number): Promise<void> {
  const deadline = performance.now() + atMostMs;
  let isBusy = true;
  while (isBusy && performance.now() < deadline) {
    const before = performance.eventLoopUtilization();
    await sleep(LOOK_EVERY_MS);
    isBusy = performance.eventLoopUtilization(before).utilization > BUSY;
  }
}

/** To collect takes some tens of milliseconds. */
const MUCH_BYTES = 24 * 1024 * 1024;
const COLLECT_CHECK_MS = 5000;
/** By the part of the time that the event loop is busy. */
const AT_WORK = 0.2;
const AT_REST = 0.03;

/**
 * Has V8 use memory as this server needs it. What an upload brings lies outside the heap, and yet counts as its growth: so
 * small a heap may grow by a tenth, and would be gone through after every file. It may treble instead. And after every
 * 32 MB of bytes that young objects hold, four times the number of the flag, those alone are gone through: few are left.
 */
export function settleHeap(): void {
  setFlagsFromString("--heap-growing-percent=200");
  setFlagsFromString("--scavenger-max-new-space-capacity-mb=8");
  collectAtRest(COLLECT_CHECK_MS);
}

/**
 * Collects what the start, or a load, has left behind once nobody is held up by that. By itself V8 keeps it, and the room
 * that it had given to new objects meanwhile.
 */
export function collectAtRest(lookEveryMs: number): void {
  let hasWorked = true;
  let before = performance.eventLoopUtilization();
  setInterval(async () => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization > AT_WORK) hasWorked = true;
    else if (hasWorked && utilization < AT_REST) {
      hasWorked = false;
      await collectGarbage();
    }
    before = performance.eventLoopUtilization();
  }, lookEveryMs).unref();
}

let collect: (() => void) | undefined;
let givenUpBytes = 0;

/**
 * Notes that so much has become garbage because it gave way to newer requests, and collects it each time that there is
 * much. An attack gives up hundreds of those a second, and V8 by itself would let them grow to several times what is in use.
 */
export function collectAbandoned(bytes: number): void {
  givenUpBytes += bytes;
  if (givenUpBytes < MUCH_BYTES) return;
  givenUpBytes = 0;
  if (!collect) {
    setFlagsFromString("--expose-gc");
    collect = runInNewContext("gc") as () => void;
  }
  collect();
}

/** As a debugger does: otherwise Node has it only for who asks at the start. */
async function collectGarbage(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.collectGarbage");
  session.disconnect();
}
