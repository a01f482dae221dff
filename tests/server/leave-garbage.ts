import { setTimeout as pause } from "node:timers/promises";
import { collectGarbageWhenIdle } from "#server/lib/garbage.ts";

/** Works for a while, is idle, and prints whether its garbage was collected at work and when idle. */
const LOOK_EVERY_MS = 300;

let needed: { at: string } | null = { at: "work" };
const left = new WeakRef(needed);
collectGarbageWhenIdle(LOOK_EVERY_MS);
const end = performance.now() + LOOK_EVERY_MS;
while (performance.now() < end);
await pause(0);
const atWork = left.deref() === needed;
needed = null;
await pause(4 * LOOK_EVERY_MS);
console.log(JSON.stringify({ atWork, atRest: left.deref() !== undefined }));
