import { randomUUID } from "node:crypto";
import { transact } from "#db/transaction.ts";
import { orderText } from "#server/orders/board/search-words.ts";
import { findOrderLines } from "#server/orders/orders.queries.ts";
import { agreedQuote } from "#server/orders/orders.service.ts";
import { announceOrder } from "#server/orders/placement/placement.service.ts";
import { type ChosenFulfilment, OPEN_STATES, type OrderState } from "#shared/order-states.ts";
import type { ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";
import { orderFor } from "./orders.ts";
import { type Student, signedInStudent } from "./students.ts";

export interface PlacedOrder {
  id: string;
  number: string;
  fileId: string;
  student: Student;
  /** The student who placed the order. */
  visitor: ApiClient;
}

/** An order by a new student at this shop. */
export async function placeOrder(store: TestStore, shopId: string): Promise<PlacedOrder> {
  const { visitor, student } = await signedInStudent(store);
  return placeAnother(visitor, student, shopId);
}

/** A further order by the same student. */
export async function placeAnother(
  visitor: ApiClient,
  student: Student,
  shopId: string,
  fulfilment?: ChosenFulfilment,
): Promise<PlacedOrder> {
  const order = await orderFor(visitor, { shopId, fulfilment });
  const { status, body } = await visitor.post("/api/v1/prints/printorder", order);
  if (status !== 200) throw new Error(`Placing the order answered ${status}: ${JSON.stringify(body)}`);
  const fileId = order.orderData.filesUrl[0]?.split("/").at(-1) ?? "";
  return { id: body.data._id, number: body.data.orderNumber, fileId, student, visitor };
}

/** Moves an order through its states to `target`. */
export async function moveTo(staff: ApiClient, orderId: string, target: OrderState): Promise<void> {
  for (const [step, from] of OPEN_STATES.entries()) {
    if (from === target) return;
    const { status } = await staff.mutate("board.move", {
      orderId,
      from,
      to: OPEN_STATES[step + 1] ?? "delivered",
    });
    if (status !== 200) throw new Error(`Moving from ${from} answered ${status}`);
  }
}

/** Inserts copies of an order, one for each time; they have no files. */
export async function copyOrder(
  store: TestStore,
  original: PlacedOrder,
  moments: { placedAt: string; state?: OrderState }[],
): Promise<string[]> {
  const { db, readDb } = store.deps;
  const row = await readDb
    .selectFrom("orders")
    .selectAll()
    .where("id", "=", original.id)
    .executeTakeFirstOrThrow();
  const copies = moments.map(({ placedAt, state = "placed" }) => {
    const id = randomUUID();
    const search_text = orderText({ number: id }, original.student);
    return { ...row, id, number: id, state, created_at: placedAt, idempotency_key: id, search_text };
  });
  await transact(db, async (trx) => {
    for (const copy of copies) {
      await trx.insertInto("orders").values(copy).execute();
      const quote = agreedQuote(copy, await findOrderLines(trx, copy.id));
      const student = { _id: copy.user_id, ...original.student };
      await announceOrder(trx, store.deps, { order: copy, quote }, student);
    }
  });
  return copies.map(({ id }) => id);
}
