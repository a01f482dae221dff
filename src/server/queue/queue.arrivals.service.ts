import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { type CountedOrder, countPlaced } from "../figures/figures.counting.service.ts";
import { logChange } from "./queue.log.service.ts";
import { indexStudent } from "./queue.words.service.ts";

export interface ArrivedOrder {
  id: string;
  /** What the figures count of it. */
  counted: CountedOrder;
  student: { _id: string; fullName: string; phone: string; email: string };
}

/**
 * Puts a new order before the staff: findable, in the figures, and told of to the screens that follow the queue. Within
 * the transaction that stores the order and as its last step; the caller rings `queueBell` after the commit.
 */
export async function enqueueOrder(trx: Trx, deps: Pick<Deps, "now">, order: ArrivedOrder): Promise<void> {
  const { id, counted, student } = order;
  await indexStudent(trx, student);
  await countPlaced(trx, counted);
  await logChange(trx, deps, { kind: "placed", orderId: id, shopId: counted.shopId, state: "placed" });
}
