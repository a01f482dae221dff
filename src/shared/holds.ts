import { DAY_MS } from "./durations.ts";
import type { Fulfilment, OrderState } from "./order-states.ts";

/** The states in which an order can be put on hold: what leaves the shop or is over cannot be stopped any more. */
export const HOLDABLE_STATES: readonly OrderState[] = ["placed", "printing", "printed"];

/** How a hold ended; `changed`: the student replaced a file or chose another option. */
export type HoldEnd = "released" | "changed" | "cancelled" | "asked again";

/** Ready-made reasons to put an order on hold, as the student reads them. */
export const HOLD_REASONS = [
  "A page is cut off",
  "The file cannot be printed well",
  "The pages have different sizes",
  "The paper has run out",
] as const;

/** Those that fit an order: only a delivery has an address. */
export function holdReasons(fulfilment: Fulfilment): readonly string[] {
  return fulfilment === "delivery" ? [...HOLD_REASONS, "The address is not complete"] : HOLD_REASONS;
}

/** Why an order is cancelled that its student has cancelled, as the shop reads it and as the student does. */
export const CANCELLED_BY_STUDENT = {
  forShop: "Cancelled by the student while the order was on hold",
  forStudent: "You cancelled it while it was on hold",
} as const;

export const MAX_HOLD_REASON = 500;
export const MAX_HOLD_ANSWER = 1000;

/** After so many days without an answer staff see that nobody answers; the files of a printed order go then. */
export const HOLD_DAYS = 7;

export const HOLD_MS = HOLD_DAYS * DAY_MS;

/** A hold as its student and the staff see it; times are ISO 8601 in UTC. */
export interface Hold {
  id: string;
  reason: string;
  at: string;
  /** Empty until the student answers. */
  answer: string;
  answeredAt: string | null;
}

/** Whether nobody has answered for so long that the shop should call, release or cancel. */
export function isOverdue({ at, answeredAt }: Pick<Hold, "at" | "answeredAt">, now: Date): boolean {
  return answeredAt === null && now.getTime() - Date.parse(at) >= HOLD_MS;
}
