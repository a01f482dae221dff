import { PreparedInsert } from "#db/prepared-insert.ts";
import type { Placeholders } from "#db/prepared-query.ts";
import type { OrderMailTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import type { Paise } from "#shared/money.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";

/** An order as the mails about its way tell of it. */
export interface MailedOrder {
  id: string;
  number: string;
  state: OrderState;
  fulfilment: Fulfilment;
  shop: { name: string; location: string; email: string };
  student: { id: string; fullName: string; email: string };
  pages: number;
  copies: number;
  totalPaise: Paise;
  paidAt: string | null;
  /** Where its shop takes UPI now; empty where it does not. */
  upiId: string;
  /** What is said at hand-over; null for a delivery. */
  pickupCode: string | null;
  address: DeliveryAddress | null;
}

/** Undefined where nobody is left to be told: the student's account is deleted. */
export async function findMailedOrder(trx: Trx, orderId: string): Promise<MailedOrder | undefined> {
  const row = await trx
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .selectAll("orders")
    .select(["users.full_name", "shops.upi_id"])
    .where("orders.id", "=", orderId)
    .where("users.deleted_at", "is", null)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      number: row.number,
      state: row.state,
      fulfilment: row.fulfilment,
      shop: { name: row.shop_name, location: row.shop_location, email: row.shop_email },
      student: { id: row.user_id, fullName: row.full_name, email: row.user_email },
      pages: row.pages,
      copies: row.copies,
      totalPaise: row.total_paise,
      paidAt: row.paid_at,
      upiId: row.upi_id,
      pickupCode: row.pickup_code,
      address: row.address ? (JSON.parse(row.address) as DeliveryAddress) : null,
    }
  );
}

const newNote = new PreparedInsert((db, rows: Placeholders<OrderMailTable>[]) =>
  db
    .insertInto("order_mails")
    .values(rows)
    .onConflict((conflict) => conflict.columns(["order_id", "state"]).doNothing())
    .returning("order_id"),
);

/** Notes that the student is told of this state of the order. False where they were told before. */
export async function noteStateMail(
  trx: Trx,
  { orderId, state, at }: { orderId: string; state: OrderState; at: string },
): Promise<boolean> {
  const noted = await newNote.rows(trx, [{ order_id: orderId, state, mail_id: null, created_at: at }]);
  return noted.length > 0;
}

/** Keeps with the note of a state which mail told of it. */
export async function keepMailOfNote(
  trx: Trx,
  { orderId, state, mailId }: { orderId: string; state: OrderState; mailId: string },
): Promise<void> {
  await trx
    .updateTable("order_mails")
    .set({ mail_id: mailId })
    .where("order_id", "=", orderId)
    .where("state", "=", state)
    .execute();
}

/** Forgets that the student was told of this state, and gives the mail that did; null where none can be taken back. */
export async function takeNote(
  trx: Trx,
  { orderId, state }: { orderId: string; state: OrderState },
): Promise<string | null> {
  const note = await trx
    .deleteFrom("order_mails")
    .where("order_id", "=", orderId)
    .where("state", "=", state)
    .returning("mail_id")
    .executeTakeFirst();
  return note?.mail_id ?? null;
}
