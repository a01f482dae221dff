import { performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const CHECK_EVERY_MS = 5000;
/** Shares of its time for which the event loop is at work. */
const BUSY = 0.2;
const IDLE = 0.03;

/**
 * Sets how V8 grows and collects its memory. The bytes of an upload lie outside the heap and yet count as its growth: so
 * small a heap would be collected whole after every file. Kept for the rows 'POST uploads' and 'resident memory after all
 * of the above' of the bench.
 */
export function setHeapFlags(): void {
  setFlagsFromString("--heap-growing-percent=200");
  // Young objects alone are collected after each 32 MB of bytes that they hold, four times this number.
  setFlagsFromString("--scavenger-max-new-space-capacity-mb=8");
}

/**
 * Collects what the start, or a load, has left behind once the server is idle, as V8 by itself keeps it. Kept for the
 * row 'resident memory after all of the above' of the bench: after logins and orders alone it is 345 MB without it.
 */
export function collectGarbageWhenIdle(checkEveryMs = CHECK_EVERY_MS): void {
  let hasWorked = true;
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    if (utilization > BUSY) hasWorked = true;
    else if (hasWorked && utilization < IDLE) {
      hasWorked = false;
      collectGarbage();
    }
    before = performance.eventLoopUtilization();
  }, checkEveryMs).unref();
}

/** One collection takes a few tens of milliseconds. */
const COLLECTED_AT_ONCE_BYTES = 24 * 1024 * 1024;
let abandonedBytes = 0;

/**
 * Counts what has become garbage because it gave way to newer requests, and collects it after each 24 MB. An attack
 * abandons hundreds of requests a second, and V8 by itself would let them grow to several times what is in use.
 */
export function collectAbandonedGarbage(bytes: number): void {
  abandonedBytes += bytes;
  if (abandonedBytes < COLLECTED_AT_ONCE_BYTES) return;
  abandonedBytes = 0;
  collectGarbage();
}

let gc: (() => void) | undefined;

function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString("--expose-gc");
    gc = runInNewContext("gc") as () => void;
  }
  gc();
}
