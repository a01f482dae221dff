import { type Expression, expressionBuilder, type Selectable, type SqlBool, sql } from "kysely";
import type { Db } from "#db/database.ts";
import type { BookDayTable, Schema } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import type { InvoiceKind } from "#shared/gst.ts";
import { addDays, type Day, startOfDay } from "#shared/indian-time.ts";
import type { PayableOrder, PaymentKind } from "#shared/payment.ts";
import type { BookFilter } from "#shared/schemas/book.ts";
import type { ListCursor } from "#shared/schemas/paging.ts";
import type { PaymentMethod } from "#shared/schemas/payments.ts";
import type { ShopRange } from "../../context.ts";
import { isAfterCursor } from "../../lib/paging.ts";
import { IS_UNPAID } from "../orders.queries.ts";

const ORDERS = expressionBuilder<Schema, "orders">();

/** `duePaise` of the shared rules, in SQL. */
const DUE = sql<number>`case when ${IS_UNPAID}
  then orders.total_paise - orders.paid_paise - orders.credited_paise else 0 end`;

/** `refundDuePaise` of the shared rules, in SQL. */
const REFUND_DUE = sql<number>`case when orders.state = 'cancelled' then orders.paid_paise
  when orders.paid_paise > orders.total_paise then orders.paid_paise - orders.total_paise else 0 end`;

const FILTERS: Record<BookFilter, Expression<SqlBool>[]> = {
  all: [],
  unpaid: [IS_UNPAID],
  paid: [sql`${DUE} = 0 and orders.paid_paise > 0 and orders.state <> 'cancelled'`],
  refunded: [sql`orders.refunded_paise > 0`],
  // The condition of an index, literally.
  "refund-due": [
    sql`((orders.state = 'cancelled' and orders.paid_paise > 0) or orders.paid_paise > orders.total_paise)`,
  ],
};

/** An order in the book. */
export interface BookOrder extends PayableOrder {
  id: string;
  number: string;
  createdAt: string;
  shopName: string;
  studentName: string;
}

/** Orders that were placed in the period, newest first. */
export async function findBookOrders(
  db: Db,
  range: ShopRange,
  { filter, after, limit }: { filter: BookFilter; after: ListCursor | undefined; limit: number },
): Promise<BookOrder[]> {
  let query = db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .select(["orders.id", "orders.number", "orders.created_at as createdAt", "orders.shop_name as shopName"])
    .select(["users.full_name as studentName", "orders.state", "orders.fulfilment"])
    .select("shops.upi_id as upiId")
    .select(["orders.total_paise as totalPaise", "orders.paid_paise as paidPaise"])
    .select(["orders.refunded_paise as refundedPaise", "orders.credited_paise as creditedPaise"])
    .where(ORDERS.and([...placedIn(range), ...FILTERS[filter]]))
    .orderBy("orders.created_at", "desc")
    .orderBy("orders.id", "desc")
    .limit(limit);
  if (after) query = query.where(isAfterCursor("orders", after));
  return query.execute();
}

function placedIn({ shops, from, until }: ShopRange): Expression<SqlBool>[] {
  return [
    isOneOf("orders.shop_id", shops),
    ORDERS("orders.created_at", ">=", startOfDay(from)),
    ORDERS("orders.created_at", "<", startOfDay(addDays(until, 1))),
  ];
}

/** Sums of the orders that were placed in the period, in paise. */
export interface OrderedTotals {
  /** Orders that are not cancelled. */
  orders: number;
  /** What they cost. */
  orderedPaise: number;
  paidPaise: number;
  duePaise: number;
  refundedPaise: number;
  refundDuePaise: number;
  /** How many orders each filter shows. */
  counts: Record<BookFilter, number>;
}

export async function sumOrders(db: Db, range: ShopRange): Promise<OrderedTotals> {
  const count = (filter: BookFilter) =>
    sql<number>`coalesce(sum(case when ${ORDERS.and(FILTERS[filter])} then 1 else 0 end), 0)`;
  const sums = await db
    .selectFrom("orders")
    .where(ORDERS.and(placedIn(range)))
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      sql<number>`coalesce(sum(case when orders.state = 'cancelled' then 0 else 1 end), 0)`.as("orders"),
      sql<number>`coalesce(sum(case when orders.state = 'cancelled' then 0 else orders.total_paise end), 0)`.as(
        "orderedPaise",
      ),
      sql<number>`coalesce(sum(orders.paid_paise), 0)`.as("paidPaise"),
      sql<number>`coalesce(sum(${DUE}), 0)`.as("duePaise"),
      sql<number>`coalesce(sum(orders.refunded_paise), 0)`.as("refundedPaise"),
      sql<number>`coalesce(sum(${REFUND_DUE}), 0)`.as("refundDuePaise"),
      count("unpaid").as("unpaid"),
      count("paid").as("paid"),
      count("refunded").as("refunded"),
      count("refund-due").as("refundDue"),
    ])
    .executeTakeFirstOrThrow();
  const { all, unpaid, paid, refunded, refundDue, ...totals } = sums;
  return { ...totals, counts: { all, unpaid, paid, refunded, "refund-due": refundDue } };
}

/** Refunds that are outstanding for orders that were placed before a day, however long ago. */
export interface OutstandingRefunds {
  orders: number;
  amountPaise: number;
  /** When the oldest of these orders was placed; null if there is none. */
  oldest: string | null;
}

export async function sumOutstandingRefunds(
  db: Db,
  { shops, before }: Pick<ShopRange, "shops"> & { before: Day },
): Promise<OutstandingRefunds> {
  return db
    .selectFrom("orders")
    .select(({ fn }) => [
      fn.countAll<number>().as("orders"),
      sql<number>`coalesce(sum(${REFUND_DUE}), 0)`.as("amountPaise"),
      fn.min("orders.created_at").as("oldest"),
    ])
    .where(ORDERS.and(FILTERS["refund-due"]))
    .where("orders.created_at", "<", startOfDay(before))
    .where(isOneOf("orders.shop_id", shops))
    .executeTakeFirstOrThrow();
}

/** Money by method and direction; a reversal takes off what it reverses. */
export interface MethodSum {
  method: PaymentMethod;
  /** Whether it is refunds; otherwise payments. */
  isRefund: boolean;
  /** Signed: negative for refunds. */
  amountPaise: number;
}

/** A reversal counts with what it reverses: of a payment it is negative, of a refund positive. */
const IS_REFUND = sql<number>`case when payments.kind = 'refund' or (payments.kind = 'reversal' and payments.amount_paise > 0)
  then 1 else 0 end`;

/** Money that came and went on these days of the book. */
export async function sumPayments(db: Db, { shops, from, until }: ShopRange): Promise<MethodSum[]> {
  const rows = await db
    .selectFrom("payments")
    .select(({ fn }) => [
      "method",
      IS_REFUND.as("isRefund"),
      fn.sum<number>("amount_paise").as("amountPaise"),
    ])
    .where("day", ">=", from)
    .where("day", "<=", until)
    .where(isOneOf("shop_id", shops))
    .groupBy(["method", IS_REFUND])
    .execute();
  return rows.map((row) => ({ ...row, isRefund: row.isRefund === 1 }));
}

/** The same of one day, by clerk. */
export interface ClerkSum extends MethodSum {
  clerkId: string;
  clerk: string;
}

export async function sumDay(db: Db | Trx, shopId: string, day: Day): Promise<ClerkSum[]> {
  const rows = await db
    .selectFrom("payments")
    .innerJoin("users", "users.id", "payments.by_user_id")
    .select(({ fn }) => [
      "payments.by_user_id as clerkId",
      "users.full_name as clerk",
      "method",
      IS_REFUND.as("isRefund"),
      fn.sum<number>("amount_paise").as("amountPaise"),
    ])
    .where("shop_id", "=", shopId)
    .where("day", "=", day)
    .groupBy(["payments.by_user_id", "users.full_name", "method", IS_REFUND])
    .orderBy("users.full_name")
    .orderBy("payments.by_user_id")
    .execute();
  return rows.map((row) => ({ ...row, isRefund: row.isRefund === 1 }));
}

/** A day of the book, with who closed it; undefined if nothing was recorded on it. */
export async function findBookDay(
  db: Db | Trx,
  shopId: string,
  day: Day,
): Promise<(Selectable<BookDayTable> & { closedByName: string | null }) | undefined> {
  return db
    .selectFrom("book_days")
    .leftJoin("users", "users.id", "book_days.closed_by")
    .selectAll("book_days")
    .select("users.full_name as closedByName")
    .where("shop_id", "=", shopId)
    .where("day", "=", day)
    .executeTakeFirst();
}

/** Days before this one that took payments and are not closed, the newest first. */
export async function findOpenDays(
  db: Db,
  { shopId, before, limit }: { shopId: string; before: Day; limit: number },
): Promise<Day[]> {
  const rows = await db
    .selectFrom("book_days")
    .select("day")
    .where("shop_id", "=", shopId)
    .where("day", "<", before)
    .where("closed_at", "is", null)
    .orderBy("day", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ day }) => day);
}

type Closing = Pick<BookDayTable, "shop_id" | "day"> & {
  closed_at: string;
  closed_by: string;
  counted_cash_paise: number;
  note: string;
  figures: string;
};

/** Closes a day that the transaction has locked. */
export async function closeBookDay(trx: Trx, { shop_id, day, ...closing }: Closing): Promise<void> {
  await trx
    .updateTable("book_days")
    .set(closing)
    .where("shop_id", "=", shop_id)
    .where("day", "=", day)
    .execute();
}

/** A row of the payments' export. */
export interface BookPayment {
  id: string;
  createdAt: string;
  day: Day;
  orderNumber: string;
  shopName: string;
  kind: PaymentKind;
  method: PaymentMethod;
  amountPaise: number;
  by: string;
  approvedBy: string | null;
  reason: string;
  reverses: string | null;
}

/** Payments on these days of the book, newest first. */
export async function findBookPayments(
  db: Db,
  { shops, from, until }: ShopRange,
  { after, limit }: { after: BookPayment | undefined; limit: number },
): Promise<BookPayment[]> {
  let query = db
    .selectFrom("payments")
    .innerJoin("orders", "orders.id", "payments.order_id")
    .innerJoin("users", "users.id", "payments.by_user_id")
    .leftJoin("users as approver", "approver.id", "payments.approved_by")
    .select(["payments.id", "payments.created_at as createdAt", "payments.day", "payments.kind"])
    .select(["orders.number as orderNumber", "orders.shop_name as shopName", "payments.method"])
    .select(["payments.amount_paise as amountPaise", "users.full_name as by", "payments.reason"])
    .select(["approver.full_name as approvedBy", "payments.reverses"])
    .where("payments.day", ">=", from)
    .where("payments.day", "<=", until)
    .where(isOneOf("payments.shop_id", shops))
    .orderBy("payments.day", "desc")
    .orderBy("payments.id", "desc")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("payments.day", "payments.id"), "<", eb.tuple(after.day, after.id)),
    );
  }
  return query.execute();
}

/** A row of the invoices' export. */
export interface BookInvoice {
  id: string;
  kind: InvoiceKind;
  series: string;
  year: number;
  seq: number;
  issuedAt: string;
  shopName: string;
  gstin: string;
  /** State code of the place of supply. */
  place: string;
  sac: string;
  ratePercent: number;
  taxablePaise: number;
  cgstPaise: number;
  sgstPaise: number;
  igstPaise: number;
  totalPaise: number;
  reason: string;
  orderNumber: string;
  /** The number of the order's invoice, in its parts; those of the row itself if it is one. */
  invoiceSeries: string;
  invoiceYear: number;
  invoiceSeq: number;
}

/** Tax invoices and notes that were issued on these Indian days, oldest first. */
export async function findBookInvoices(
  db: Db,
  { shops, from, until }: ShopRange,
  { after, limit }: { after: BookInvoice | undefined; limit: number },
): Promise<BookInvoice[]> {
  let query = db
    .selectFrom("invoices")
    .innerJoin("orders", "orders.id", "invoices.order_id")
    .innerJoin("invoices as invoice", (join) =>
      join.onRef("invoice.order_id", "=", "invoices.order_id").on("invoice.kind", "=", "invoice"),
    )
    .select(["invoices.id", "invoices.kind", "invoices.series", "invoices.year", "invoices.seq"])
    .select(["invoices.issued_at as issuedAt", "invoices.gstin", "invoices.place", "invoices.sac"])
    .select(["invoices.rate_percent as ratePercent", "invoices.taxable_paise as taxablePaise"])
    .select(["invoices.cgst_paise as cgstPaise", "invoices.sgst_paise as sgstPaise"])
    .select(["invoices.igst_paise as igstPaise", "invoices.total_paise as totalPaise", "invoices.reason"])
    .select(["orders.number as orderNumber", "orders.shop_name as shopName"])
    .select(["invoice.series as invoiceSeries", "invoice.year as invoiceYear", "invoice.seq as invoiceSeq"])
    .where("invoices.issued_at", ">=", startOfDay(from))
    .where("invoices.issued_at", "<", startOfDay(addDays(until, 1)))
    .where(isOneOf("invoices.shop_id", shops))
    .orderBy("invoices.issued_at")
    .orderBy("invoices.id")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("invoices.issued_at", "invoices.id"), ">", eb.tuple(after.issuedAt, after.id)),
    );
  }
  return query.execute();
}
