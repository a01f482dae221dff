import { BACKGROUND_HEADER } from "#shared/schemas/accounts.ts";

/** So long after somebody has touched the page its calls are taken to be theirs. */
const ATTENDED_MS = 60_000;
const ACTS = ["pointerdown", "keydown", "wheel", "touchmove"] as const;

/** Whoever loads a page is there. */
let lastActAt = Date.now();
for (const act of ACTS) {
  window.addEventListener(act, () => (lastActAt = Date.now()), { capture: true, passive: true });
}

/** Headers of a call: one that the page makes by itself, with nobody there, keeps no session of the staff alive. */
export function callHeaders(): Record<string, string> {
  return Date.now() - lastActAt > ATTENDED_MS ? { [BACKGROUND_HEADER]: "1" } : {};
}
