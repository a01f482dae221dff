import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { QueueEventKind } from "#shared/queue-events.ts";
import type { Deps } from "../context.ts";
import { appendToLog, deleteLogBefore } from "./queue.log-queries.ts";

/** A screen that was away for longer loads everything again. */
const KEPT_DAYS = 7;

export interface LoggedChange {
  kind: QueueEventKind;
  orderId: string;
  shopId: string;
  /** The order's state after the change. */
  state: OrderState;
}

/**
 * Tells the screens that follow the queue, within the transaction of the change and as its last step. The caller
 * rings `queueBell` after the commit.
 */
export async function logChange(trx: Trx, { now }: Pick<Deps, "now">, change: LoggedChange): Promise<void> {
  await appendToLog(trx, {
    order_id: change.orderId,
    shop_id: change.shopId,
    kind: change.kind,
    state: change.state,
    created_at: now().toISOString(),
  });
}

export async function sweepLog({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000);
  await deleteLogBefore(db, before.toISOString());
}
