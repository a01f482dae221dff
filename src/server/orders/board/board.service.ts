import { randomUUID } from "node:crypto";
import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { DAY_MS, MINUTE_MS } from "#shared/durations.ts";
import { addDays, indianDay, startOfDay } from "#shared/indian-time.ts";
import {
  agreedFiles,
  agreedJobs,
  type OrderJob,
  type PartToPrint,
  partsToPrint,
} from "#shared/order-jobs.ts";
import { isUnprinted, OPEN_STATES, type OpenState } from "#shared/order-states.ts";
import { type SizeNotes, sizeNotesOf } from "#shared/paper-sizes.ts";
import type { PayableOrder } from "#shared/payment.ts";
import type { Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { BoardInput, DueWithin, NoteInput, OrderPageInput } from "#shared/schemas/board.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import { type Context, chosenShops, type StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { PAGE_QUERY_ROWS, toPage } from "../../lib/paging.ts";
import { findHolds, type HoldRecord } from "../holds/holds.queries.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import {
  findOrderFiles,
  findOrderHistory,
  findOrderLines,
  type HistoryEntry,
  type OrderFileRow,
  type OrderRow,
} from "../orders.queries.ts";
import { agreedAddress, agreedQuote, lockShopOrder, moneyOf, requireShopOrder } from "../orders.service.ts";
import { findPayments, type PaymentEntry } from "../payments/payments.queries.ts";
import {
  countAtCounter,
  countOpenOrders,
  countReported,
  findOrderCards,
  findOrderListings,
  type OrderCard,
  type OrderListing,
} from "./board.queries.ts";
import {
  findNote,
  findOrderNotes,
  findSizeNotes,
  findVisitEnd,
  insertNote,
  type Note,
} from "./detail.queries.ts";
import { searchTerms } from "./search-words.ts";

/** Cards in a column unless more are asked for. Few, because every open console loads the board again after each change. */
const COLUMN_CARDS = 20;
const DELIVERED_DAYS = 14;

/** A listed order with what to ask before each of its parts is printed; empty where nothing. */
type WithSizeNotes<Order> = Order & { sizeNotes: SizeNotes };
type BoardCard = WithSizeNotes<OrderCard>;

interface BoardColumn {
  state: OpenState;
  /** Number of all orders in this state, including those without a card. */
  count: number;
  /** The oldest orders, oldest first. */
  cards: BoardCard[];
}

interface Board {
  /** The open orders of people at the counter, whatever their state; they are in no column. */
  counter: { count: number; cards: BoardCard[] };
  columns: BoardColumn[];
  /** Delivered orders that were placed in the last two weeks, newest first; only the newest ones. */
  delivered: BoardCard[];
  /** Number of reported printing errors without an answer. */
  reported: number;
}

/** The open orders of the caller's shops, or of one of them. Throws NOT_FOUND for a shop that is not theirs. */
export async function getBoard(ctx: Context<StaffMember>, input: BoardInput): Promise<Board> {
  const { readDb } = ctx;
  const { shopId, cards = COLUMN_CARDS, due, ...chosen } = input;
  const shops = chosenShops(ctx, shopId);
  const filter = { ...chosen, dueBefore: due && dueBefore(ctx, due) };
  const counts = await countOpenOrders(readDb, { shops, ...filter });
  const atCounter = await countAtCounter(readDb, { shops, ...filter });
  const count = OPEN_STATES.reduce((sum, state) => sum + atCounter[state], 0);
  const oldest = { newestFirst: false, limit: cards };
  const counterCards =
    count > 0
      ? await findOrderCards(readDb, { shops, ...filter, state: "open", atCounter: true }, oldest)
      : [];
  const lists = await Promise.all([
    ...OPEN_STATES.map((state) =>
      findOrderCards(readDb, { shops, ...filter, state, atCounter: false }, oldest),
    ),
    findOrderCards(
      readDb,
      { shops, ...filter, state: "delivered", from: daysAgo(ctx, DELIVERED_DAYS) },
      { newestFirst: true, limit: COLUMN_CARDS },
    ),
  ]);
  const notes = await findSizeNotes(readDb, [...counterCards, ...lists.flat()]);
  const noted = (cards: OrderCard[] = []) => cards.map((card) => withSizeNotes(card, notes));
  return {
    counter: { count, cards: noted(counterCards) },
    columns: OPEN_STATES.map((state, index) => ({
      state,
      count: counts[state] - atCounter[state],
      cards: noted(lists[index]),
    })),
    delivered: noted(lists.at(-1)),
    reported: await countReported(readDb, shops),
  };
}

/** One page of the orders that pass the filters. Throws NOT_FOUND for a shop that is not the caller's. */
export async function getOrderPage(
  ctx: Context<StaffMember>,
  input: OrderPageInput,
): Promise<ListPage<WithSizeNotes<OrderListing>>> {
  const { shopId, search, sort, cursor, due, ...chosen } = input;
  const filter = { ...chosen, dueBefore: due && dueBefore(ctx, due) };
  const shops = chosenShops(ctx, shopId);
  const found = await findOrderListings(
    ctx.readDb,
    { ...filter, shops, terms: searchTerms(search) },
    { newestFirst: sort === "newest", after: cursor ?? undefined, limit: PAGE_QUERY_ROWS },
  );
  const notes = await findSizeNotes(ctx.readDb, found);
  return toPage(found.map((order) => withSizeNotes(order, notes)));
}

function withSizeNotes<Order extends OrderListing>(
  order: Order,
  notes: Map<string, SizeNotes>,
): WithSizeNotes<Order> {
  return { ...order, sizeNotes: notes.get(order.id) ?? [] };
}

function daysAgo({ now }: Context, days: number): string {
  return new Date(now().getTime() - days * DAY_MS).toISOString();
}

function dueBefore({ now }: Context, due: DueWithin): string {
  if (due === "today") return startOfDay(addDays(indianDay(now()), 1));
  const minutes = due === "hour" ? 60 : 0;
  return new Date(now().getTime() + minutes * MINUTE_MS).toISOString();
}

/** An order with all its details, for the staff of its shop. */
export interface StaffOrder extends PayableOrder {
  id: string;
  number: string;
  placedAt: string;
  /** Since when it is on hold; null where it is not. */
  heldAt: string | null;
  /** Newest first; the open one, if any, comes first. */
  holds: HoldRecord[];
  /** `separatesFiles`: its packs have a sheet between the files of an order. */
  shop: { id: string; name: string; separatesFiles: boolean };
  student: { fullName: string; email: string; phone: string };
  address: DeliveryAddress | null;
  message: string;
  /** Printed pages of one copy. */
  pages: number;
  jobs: OrderJob[];
  /** The parts of an order with several; empty for others. */
  parts: PartToPrint[];
  /** What to ask before each part is printed, because its pages have another size than the paper; null where nothing. */
  sizeNotes: SizeNotes;
  copies: number;
  quote: Quote;
  /** Since when it is paid in full. */
  paidAt: string | null;
  /** The student's rating; null until they give one. */
  stars: number | null;
  /** Number of the order that this one reprints for free. */
  reprintOf: string | null;
  /** Payments, refunds and reversals, oldest first. */
  payments: PaymentEntry[];
  files: Omit<OrderFileRow, "sha256">[];
  /** When the files are deleted: of a printed order, unless it is moved back to printing before; at the counter with the visit. */
  filesDeleteAt: string | null;
  /** By when the shop promised to have it printed; null if nothing was promised. */
  promisedAt: string | null;
  /** Oldest first. */
  history: HistoryEntry[];
  /** Newest first. */
  notes: Note[];
}

/** One order of the caller's shops. Throws NOT_FOUND for any other. */
export async function getOrder(
  ctx: Context<StaffMember>,
  { orderId }: { orderId: string },
): Promise<StaffOrder> {
  const { readDb } = ctx;
  const order = await requireShopOrder(readDb, ctx, orderId);
  const lines = await findOrderLines(readDb, orderId);
  const files = await findOrderFiles(readDb, orderId);
  const quote = agreedQuote(order, lines);
  const jobs = agreedJobs(order, files);
  const chosen = quote.jobs.map((job) => job.lines);
  const printed = agreedFiles(order, files).map(({ sha256: _, ...file }) => file);
  return {
    ...moneyOf(order),
    id: order.id,
    number: order.number,
    fulfilment: order.fulfilment,
    placedAt: order.created_at,
    heldAt: order.held_at,
    holds: await findHolds(readDb, orderId),
    shop: { id: order.shop_id, name: order.shop_name, separatesFiles: order.separatesFiles === 1 },
    student: { fullName: order.studentName, email: order.user_email, phone: order.studentPhone ?? "" },
    address: agreedAddress(order),
    message: order.message,
    pages: order.pages,
    jobs,
    parts: partsToPrint(order.jobs, chosen),
    sizeNotes: sizeNotesOf(printed, jobs, chosen),
    copies: order.copies,
    quote,
    paidAt: order.paid_at,
    stars: order.stars,
    upiId: order.upiId,
    reprintOf: order.originalNumber,
    payments: await findPayments(readDb, orderId),
    files: printed,
    filesDeleteAt: await filesEnd(readDb, order),
    promisedAt: order.promised_at,
    history: await findOrderHistory(readDb, orderId),
    notes: await findOrderNotes(readDb, orderId),
  };
}

async function filesEnd(
  db: Db,
  { state, fulfilment, user_id, files_delete_at }: OrderRow,
): Promise<string | null> {
  const hasFiles = isUnprinted(state) || files_delete_at !== null;
  const visitEnd = fulfilment === "counter" && hasFiles ? await findVisitEnd(db, user_id) : null;
  return [files_delete_at, visitEnd].filter((at) => at !== null).toSorted()[0] ?? null;
}

/**
 * Adds a note for other staff, which the student never sees; sent again with the same key, it is stored once. Throws NOT_FOUND
 * for an order of another shop, and CONFLICT if the key is that of another note.
 */
export async function addNote(ctx: Context<StaffMember>, input: NoteInput): Promise<void> {
  await transact(ctx.db, (trx) => noteOrder(trx, ctx, input));
}

async function noteOrder(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, body, key }: NoteInput,
): Promise<void> {
  await storeNote(trx, ctx, await lockShopOrder(trx, ctx, orderId), { body, id: key });
}

/** Adds a note within the caller's transaction. */
export async function storeNote(
  trx: Trx,
  ctx: Context<StaffMember>,
  order: OrderRow,
  { body, id = randomUUID() }: { body: string; id?: string | undefined },
): Promise<void> {
  const by = ctx.actor.user._id;
  const createdAt = ctx.now().toISOString();
  if (!(await insertNote(trx, { id, order_id: order.id, by_user_id: by, body, created_at: createdAt }))) {
    const stored = await findNote(trx, id);
    if (stored?.order_id === order.id && stored.by_user_id === by && stored.body === body) return;
    throw new AppError("CONFLICT", "This note was not saved. Please add it again");
  }
  // Without its text, which goes with the student's account; the audit log stays.
  await recordAudit(trx, ctx, {
    action: "order.note",
    subject: { id: order.id, name: order.number },
    shopId: order.shop_id,
  });
  await recordLiveEvent(trx, ctx, "noted", order);
}
