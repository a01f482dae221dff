import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 3;
/** The share of its time above which the event loop has something more urgent to do. */
const BUSY = 0.7;

/**
 * Waits until this process has time for what nobody is waiting for, which is when its event loop was idle for a good part
 * of some ms; `atMostMs` at the most, so that it is done in the end.
 */
export async function quietMoment(atMostMs: number): Promise<void> {
  const deadline = performance.now() + atMostMs;
  let isBusy = true;
  while (isBusy && performance.now() < deadline) {
    const before = performance.eventLoopUtilization();
    await sleep(LOOK_EVERY_MS);
    isBusy = performance.eventLoopUtilization(before).utilization > BUSY;
  }
}
