import { BACKGROUND_HEADER } from "#shared/calls.ts";

/** For so long after the last input, calls count as made by a person. */
const ATTENDED_MS = 60_000;
const ACTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Loading a page counts as input. */
let lastActAt = Date.now();
for (const act of ACTS) {
  window.addEventListener(act, () => (lastActAt = Date.now()), { capture: true, passive: true });
}

/**
 * Headers of a call. They mark calls that the page makes while nobody uses it, which must not extend the sessions of staff
 * and those on shared computers.
 */
export function callHeaders(): Record<string, string> {
  return Date.now() - lastActAt > ATTENDED_MS ? { [BACKGROUND_HEADER]: "1" } : {};
}
