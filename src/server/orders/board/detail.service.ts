import { randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { Quote } from "#shared/pricing.ts";
import { firstPages } from "#shared/print-pages.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import type { NoteInput } from "#shared/schemas/queue.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import { type Context, hasShop, type StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { logChange } from "../events/events.service.ts";
import { agreedAddress, agreedQuote } from "../orders.service.ts";
import {
  findOrder,
  findOrderFiles,
  findOrderHistory,
  findOrderLines,
  findOrderNotes,
  type HistoryEntry,
  insertNote,
  type Note,
  type OrderFile,
  type OrderLineRecord,
  type OrderRecord,
} from "./detail.queries.ts";
import { findPayments, type PaymentEntry } from "./payments.queries.ts";

/** All that staff know about an order. */
export interface OrderDetail {
  id: string;
  number: string;
  state: OrderState;
  fulfilment: Fulfilment;
  placedAt: string;
  shop: { id: string; name: string };
  student: { fullName: string; email: string; phone: string };
  address: DeliveryAddress | null;
  message: string;
  pages: number;
  copies: number;
  /** Whether both sides of its sheets are printed. */
  isTwoSided: boolean;
  quote: Quote;
  totalPaise: number;
  /** When it was marked as paid. */
  paidAt: string | null;
  /** What the student gave it; null until they do. */
  stars: number | null;
  /** Whether its shop takes UPI. */
  takesUpi: boolean;
  /** The number of the order that it prints again at no charge. */
  reprintOf: string | null;
  /** What staff said of its payment, oldest first. */
  payments: PaymentEntry[];
  files: OrderFile[];
  /** When they are deleted, unless it goes back to printing before. */
  filesDeleteAt: string | null;
  /** Oldest first. */
  history: HistoryEntry[];
  /** Newest first. */
  notes: Note[];
}

export interface NotedOrder {
  id: string;
  number: string;
  state: OrderState;
  shop: { id: string };
}

/** One order of the caller's shops. Throws NOT_FOUND for any other. */
export async function getOrder(
  ctx: Context<StaffMember>,
  { orderId }: { orderId: string },
): Promise<OrderDetail> {
  const { readDb } = ctx;
  const order = await requireOrder(readDb, ctx, orderId);
  const lines = await findOrderLines(readDb, orderId);
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    fulfilment: order.fulfilment,
    placedAt: order.created_at,
    shop: { id: order.shop_id, name: order.shop_name },
    student: { fullName: order.studentName, email: order.user_email, phone: order.studentPhone ?? "" },
    address: agreedAddress(order),
    message: order.message,
    pages: order.pages,
    copies: order.copies,
    isTwoSided: isTwoSided(order, lines),
    quote: agreedQuote(order, lines),
    totalPaise: order.total_paise,
    paidAt: order.paid_at,
    stars: order.stars,
    takesUpi: order.upiId !== "",
    reprintOf: order.originalNumber,
    payments: await findPayments(readDb, orderId),
    files: firstPages(await findOrderFiles(readDb, orderId), order.pages),
    filesDeleteAt: order.files_delete_at,
    history: await findOrderHistory(readDb, orderId),
    notes: await findOrderNotes(readDb, orderId),
  };
}

/** Its sheets tell of more than one page; of a single page, which takes a sheet either way, only the option does. */
function isTwoSided({ sheets, pages, copies }: OrderRecord, lines: OrderLineRecord[]): boolean {
  return sheets < pages * copies || lines.some(({ sides }) => sides === 2);
}

/** Adds what other staff should know; the student never sees it. Throws NOT_FOUND for an order of another shop. */
export async function addNote(ctx: Context<StaffMember>, input: NoteInput): Promise<void> {
  await transact(ctx.db, (trx) => noteOrder(trx, ctx, input));
}

async function noteOrder(trx: Trx, ctx: Context<StaffMember>, { orderId, body }: NoteInput): Promise<void> {
  await lockRow(trx, "orders", orderId);
  const { id, number, state, shop_id } = await requireOrder(trx, ctx, orderId);
  await storeNote(trx, ctx, { id, number, state, shop: { id: shop_id } }, body);
}

/** Adds a note within the transaction. */
export async function storeNote(
  trx: Trx,
  ctx: Context<StaffMember>,
  order: NotedOrder,
  body: string,
): Promise<void> {
  await insertNote(trx, {
    id: randomUUID(),
    order_id: order.id,
    by_user_id: ctx.actor.user._id,
    body,
    created_at: ctx.now().toISOString(),
  });
  await recordAudit(trx, ctx, {
    action: "order.note",
    subject: { id: order.id, name: order.number },
    shopId: order.shop.id,
    after: { note: body },
  });
  await logChange(trx, ctx, {
    kind: "noted",
    orderId: order.id,
    shopId: order.shop.id,
    state: order.state,
  });
}

async function requireOrder(db: Db | Trx, ctx: Context<StaffMember>, orderId: string): Promise<OrderRecord> {
  const order = await findOrder(db, orderId);
  if (!order || !hasShop(ctx.actor, order.shop_id)) {
    throw new AppError("NOT_FOUND", "This order was not found");
  }
  return order;
}
