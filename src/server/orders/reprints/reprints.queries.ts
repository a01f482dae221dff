import type { Db } from "#db/open.ts";
import type { ReprintTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { ReprintState } from "#shared/reprints.ts";

/** An order as people know it. */
export interface LinkedOrder {
  id: string;
  number: string;
}

/** An order of which an error may be reported. */
export interface ReportedOrder extends LinkedOrder {
  state: OrderState;
  pages: number;
  shop: { id: string; name: string; email: string };
  /** The name and the address are empty where the account is deleted. */
  student: { id: string; fullName: string; email: string };
  deliveredAt: string | null;
  /** The order that it prints again. */
  reprintOf: LinkedOrder | null;
  /** The order that prints it again. */
  reprint: LinkedOrder | null;
}

export async function findReportedOrder(db: Db | Trx, id: string): Promise<ReportedOrder | undefined> {
  const row = await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .leftJoin("order_events as delivery", (join) =>
      join.onRef("delivery.order_id", "=", "orders.id").on("delivery.state", "=", "delivered"),
    )
    .leftJoin("orders as original", "original.id", "orders.reprint_of")
    .leftJoin("orders as reprint", "reprint.reprint_of", "orders.id")
    .selectAll("orders")
    .select(["users.full_name", "delivery.created_at as deliveredAt"])
    .select(["original.id as originalId", "original.number as originalNumber"])
    .select(["reprint.id as reprintId", "reprint.number as reprintNumber"])
    .where("orders.id", "=", id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      number: row.number,
      state: row.state,
      pages: row.pages,
      shop: { id: row.shop_id, name: row.shop_name, email: row.shop_email },
      student: { id: row.user_id, fullName: row.full_name, email: row.user_email },
      deliveredAt: row.deliveredAt,
      reprintOf: linked(row.originalId, row.originalNumber),
      reprint: linked(row.reprintId, row.reprintNumber),
    }
  );
}

function linked(id: string | null, number: string | null): LinkedOrder | null {
  return id !== null && number !== null ? { id, number } : null;
}

export type ReportRecord = ReprintTable & { answeredByName: string | null };

export async function findReport(db: Db | Trx, orderId: string): Promise<ReportRecord | undefined> {
  return db
    .selectFrom("reprints")
    .leftJoin("users", "users.id", "reprints.answered_by")
    .selectAll("reprints")
    .select("users.full_name as answeredByName")
    .where("order_id", "=", orderId)
    .executeTakeFirst();
}

/** False where an error of the order is reported already. */
export async function insertReport(trx: Trx, report: ReprintTable): Promise<boolean> {
  const inserted = await trx
    .insertInto("reprints")
    .values(report)
    .onConflict((conflict) => conflict.column("order_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Brings the report from one state into another, with these changes; false where it is not in that state. */
export async function moveReport(
  trx: Trx,
  { orderId, from, to }: { orderId: string; from: ReprintState; to: ReprintState },
  changes: Partial<Pick<ReprintTable, "answer" | "answered_at" | "answered_by">> = {},
): Promise<boolean> {
  const moved = await trx
    .updateTable("reprints")
    .set({ ...changes, state: to })
    .where("order_id", "=", orderId)
    .where("state", "=", from)
    .returning("id")
    .executeTakeFirst();
  return moved !== undefined;
}

/** The reports of this user, the newest first. */
export async function findReportsOf(
  db: Db,
  userId: string,
): Promise<(ReprintTable & { orderNumber: string })[]> {
  return db
    .selectFrom("reprints")
    .innerJoin("orders", "orders.id", "reprints.order_id")
    .selectAll("reprints")
    .select("orders.number as orderNumber")
    .where("orders.user_id", "=", userId)
    .orderBy("reprints.created_at", "desc")
    .execute();
}

/** Takes this user's photos out of everyone's reach and out of their reports. */
export async function releasePhotosOf(
  trx: Trx,
  { ownerId, at }: { ownerId: string; at: string },
): Promise<void> {
  await trx
    .updateTable("reprint_photos")
    .set({ deleted_at: at, reprint_id: null })
    .where("owner_id", "=", ownerId)
    .execute();
}

export async function deleteReportsOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom("reprints")
    .where("order_id", "in", (eb) => eb.selectFrom("orders").select("id").where("user_id", "=", userId))
    .execute();
}
