import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { isStepBack, type OrderState } from "#shared/order-states.ts";
import type { Deps } from "../context.ts";
import { queuePush, withdrawPush } from "../push/push.service.ts";
import { readyWaitMs } from "./board/moves.mails.ts";

/** What a lock screen may show of an order: its number, its state and the shop's name. */
const TEXTS = {
  ready: { title: "is ready", body: "You can pick it up at" },
  "not-ready": { title: "is not ready yet", body: "It has to be printed again at" },
  dispatched: { title: "is on its way", body: "Sent by" },
  cancelled: { title: "is cancelled", body: "Cancelled by" },
  held: { title: "is waiting for your answer", body: "A question from" },
  "reprint-accepted": { title: "will be reprinted", body: "Please upload the files again for" },
  "reprint-declined": { title: "will not be reprinted", body: "Answered by" },
} as const;
type OrderPush = keyof typeof TEXTS;

type PushDeps = Pick<Deps, "config" | "now">;
type PushedOrder = Pick<OrderTable, "id" | "number" | "user_id" | "shop_name" | "fulfilment" | "state">;

/**
 * Queues a push message about an order for the student's devices that asked for them. It replaces an earlier one about the
 * order that has not arrived.
 * @param except devices that get none
 */
export async function queueOrderPush(
  trx: Trx,
  deps: PushDeps,
  order: PushedOrder,
  kind: OrderPush,
  except?: readonly string[],
): Promise<void> {
  const { title, body } = TEXTS[kind];
  const push = {
    about: order.id,
    userId: order.user_id,
    title: `Order ${order.number} ${title}`,
    body: `${body} ${order.shop_name}`,
    path: `/orders/${order.id}`,
    ...(kind === "ready" && { waitMs: readyWaitMs(deps) }),
  };
  await queuePush(trx, deps, push, except);
}

/**
 * Queues the push message about a move, or about a hold's end in the same state, if there is one, and withdraws earlier ones
 * that are no longer true.
 */
export async function queueMovePush(
  trx: Trx,
  deps: PushDeps,
  order: PushedOrder,
  from: OrderState,
): Promise<void> {
  if (order.fulfilment === "counter") return;
  const withdrawn = await withdrawPush(trx, deps, order.id);
  const kind = pushOf(order, from);
  // Devices that were not told that it is ready need not be told that it is not.
  if (kind) await queueOrderPush(trx, deps, order, kind, kind === "not-ready" ? withdrawn : []);
}

function pushOf({ state, fulfilment }: PushedOrder, from: OrderState): OrderPush | null {
  if (state === "dispatched" || state === "cancelled") return state;
  if (fulfilment !== "pickup") return null;
  if (state === "printed") return "ready";
  return isStepBack(from, state) ? "not-ready" : null;
}
