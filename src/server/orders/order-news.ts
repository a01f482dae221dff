import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { isStepBack, type OrderState, READY_MAIL_WAIT_MS } from "#shared/order-states.ts";
import type { Deps } from "../context.ts";
import { queuePush, withdrawPush } from "../push/push.service.ts";

/** What a lock screen may show of an order: its number, its state and the shop's name. */
const NEWS = {
  ready: { title: "is ready", body: "You can pick it up at" },
  "not-ready": { title: "is not ready yet", body: "It has to be printed again at" },
  dispatched: { title: "is on its way", body: "Sent by" },
  cancelled: { title: "is cancelled", body: "Cancelled by" },
  held: { title: "waits for your answer", body: "A question from" },
  "reprint-accepted": { title: "will be reprinted", body: "Please upload the files again for" },
  "reprint-declined": { title: "will not be reprinted", body: "Answered by" },
} as const;
export type OrderNews = keyof typeof NEWS;

type NewsDeps = Pick<Deps, "config" | "now">;
type TellableOrder = Pick<OrderTable, "id" | "number" | "user_id" | "shop_name" | "fulfilment" | "state">;

/**
 * Sends news of an order to the student's devices that asked for them, after the commit of this transaction. They replace
 * earlier news of the order that have not arrived.
 * @param except devices that are not told
 */
export async function pushOrderNews(
  trx: Trx,
  deps: NewsDeps,
  order: TellableOrder,
  news: OrderNews,
  except?: readonly string[],
): Promise<void> {
  if (order.fulfilment === "counter") return;
  const { title, body } = NEWS[news];
  const push = {
    about: order.id,
    userId: order.user_id,
    title: `Order ${order.number} ${title}`,
    body: `${body} ${order.shop_name}`,
    path: `/orders/${order.id}`,
    // As long as the mail: until then staff can undo the print without anybody noticing.
    ...(news === "ready" && { waitMs: Math.min(READY_MAIL_WAIT_MS, deps.config.printGraceMs) }),
  };
  await queuePush(trx, deps, push, except);
}

/**
 * Sends the news of a move, or of a hold's end in the same state, if it is worth any, and withdraws earlier news that are no
 * longer true.
 */
export async function pushMove(
  trx: Trx,
  deps: NewsDeps,
  order: TellableOrder,
  from: OrderState,
): Promise<void> {
  if (order.fulfilment === "counter") return;
  const untold = await withdrawPush(trx, deps, order.id);
  const news = newsOf(order, from);
  if (news) await pushOrderNews(trx, deps, order, news, news === "not-ready" ? untold : []);
}

function newsOf({ state, fulfilment }: TellableOrder, from: OrderState): OrderNews | null {
  if (state === "dispatched" || state === "cancelled") return state;
  if (fulfilment !== "pickup") return null;
  if (state === "printed") return "ready";
  return isStepBack(from, state) ? "not-ready" : null;
}
