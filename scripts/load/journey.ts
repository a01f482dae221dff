import { DELETES_FILES, nextState, type OrderState } from "#shared/order-states.ts";
import type { Dice } from "./dice.ts";

/** A state that an order came into, and when, in ms. */
export interface Step {
  state: OrderState;
  at: number;
  /** Why it was cancelled. */
  reason: string | null;
}

const MINUTE_MS = 60_000;
/** As long as a store keeps the files of printed orders where nothing else is set. */
const PRINT_GRACE_MS = 30 * MINUTE_MS;
/** How long an order stays in a state on average, in minutes. */
const STAY: Record<OrderState, number> = {
  placed: 45,
  printing: 30,
  printed: 120,
  dispatched: 400,
  delivered: 0,
  cancelled: 0,
};
/** At every step so many are cancelled, and so many are left lying. */
const CANCELLED_SHARE = 0.015;
const FORGOTTEN_SHARE = 0.001;

const REASONS = [
  "The file has empty pages. Please upload it again",
  "We have run out of this paper until tomorrow",
  "The student asked us to cancel",
  "The pages are cut off at the right side",
];

/** The states that an order has come through until `end`, the first being `placed`. */
export function makeJourney(dice: Dice, placedAt: number, end: number): [Step, ...Step[]] {
  const steps: [Step, ...Step[]] = [{ state: "placed", at: placedAt, reason: null }];
  let state: OrderState | null = "placed";
  let at = placedAt;
  while (state) {
    at += Math.ceil(dice.around(STAY[state]) * MINUTE_MS) + MINUTE_MS;
    const canBeCancelled = state !== "dispatched";
    state = nextState({ fulfilment: "delivery", state });
    if (!state || at > end || dice.chance(FORGOTTEN_SHARE)) break;
    if (canBeCancelled && dice.chance(CANCELLED_SHARE)) {
      steps.push({ state: "cancelled", at, reason: dice.pick(REASONS) });
      break;
    }
    steps.push({ state, at, reason: null });
  }
  return steps;
}

/** When the order's files are deleted, in ms; undefined where they still are needed. */
export function deletionOf(steps: Step[]): number | undefined {
  const printed = steps.find(({ state }) => state === "printed");
  const over = steps.find(({ state }) => DELETES_FILES.includes(state));
  const moments = [over?.at, printed && printed.at + PRINT_GRACE_MS].filter((at) => at !== undefined);
  return moments.length > 0 ? Math.min(...moments) : undefined;
}
