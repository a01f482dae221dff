import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "#db/database.ts";
import type { OrderLineTable, Schema } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import type { OptionKind } from "#shared/options.ts";
import { type PartToPrint, partsToPrint } from "#shared/order-jobs.ts";
import { OPEN_STATES, type OpenState, type OrderState } from "#shared/order-states.ts";
import type { PayableOrder } from "#shared/payment.ts";
import type { ReprintState } from "#shared/reprints.ts";
import type { BoardFilter } from "#shared/schemas/board.ts";
import type { ListCursor } from "#shared/schemas/paging.ts";
import type { ShopScope } from "../../context.ts";
import { isAfterCursor } from "../../lib/paging.ts";
import { IS_OPEN, IS_TO_PRINT, IS_UNPAID } from "../orders.queries.ts";
import { hasTerms } from "./search.queries.ts";

/** An order in the table of all orders. */
export interface OrderListing extends PayableOrder {
  id: string;
  number: string;
  shopName: string;
  studentName: string;
  pages: number;
  copies: number;
  /** Time of placing. */
  createdAt: string;
  /** When the files of a printed order are deleted; until then it can go back to printing. */
  filesDeleteAt: string | null;
  /** By when the shop promised to have it printed; null if nothing was promised. */
  promisedAt: string | null;
  /** State of the report of a printing error; null where none is reported. */
  report: ReprintState | null;
  /** Whether it is a reprint of another order. */
  isReprint: boolean;
  /** Since when it is on hold; null where it is not. */
  heldAt: string | null;
  /** Why it is on hold, and when the student answered. */
  holdReason: string | null;
  holdAnsweredAt: string | null;
  /** The parts of an order with several; empty for others. */
  parts: PartToPrint[];
}

/** An order as a card of the board, with the data that is needed to print it. */
export interface OrderCard extends OrderListing {
  message: string;
  /** Names of the options that choose paper and printer; where the parts of an order differ, all of them: "Colour + Black & White". */
  options: string[];
}

/** Option kinds that decide which paper and printer staff use, and what is done with the prints. */
const CARD_OPTIONS = [
  "printedColours",
  "printingSides",
  "paperTypes",
  "paperSizes",
  "bindingOptions",
] as const satisfies OptionKind[];

/** The filters of the board, with a time for its `due`. */
interface BoardConditions extends Omit<BoardFilter, "due"> {
  shops: ShopScope;
  /** Only orders that are still to be printed and not on hold, promised for before this time. */
  dueBefore?: string | undefined;
}

export interface OrderFilter extends BoardConditions {
  state: OrderState | "open" | "done" | "all";
  /** Only orders at the counter, or none of them. */
  atCounter?: boolean;
  /** Normalised prefixes of words, all of which must match. */
  terms?: string[];
  /** Only orders with a report that nobody has answered. */
  reported?: boolean;
  from?: string | undefined;
  until?: string | undefined;
}

interface OrderRange {
  newestFirst: boolean;
  /** Last row of the previous page. */
  after?: ListCursor | undefined;
  limit: number;
}

/** One page of the orders that pass the filter, by age. */
export async function findOrderListings(
  db: Db,
  filter: OrderFilter,
  range: OrderRange,
): Promise<OrderListing[]> {
  const orders = await listingQuery(db, await conditionsOf(db, filter, range), range).execute();
  const divided = orders.filter(({ jobs }) => jobs !== null);
  const lines = await findLinesByJob(db, divided);
  return orders.map((order) => toListing(order, lines.get(order.id)));
}

/** The same as cards. */
export async function findOrderCards(db: Db, filter: OrderFilter, range: OrderRange): Promise<OrderCard[]> {
  const orders = await listingQuery(db, await conditionsOf(db, filter, range), range)
    .select("orders.message")
    .execute();
  const lines = await findLinesByJob(db, orders);
  return orders.map((order) => {
    const jobs = lines.get(order.id) ?? [];
    const { message } = order;
    return { ...toListing(order, jobs), message, options: CARD_OPTIONS.map((kind) => namesIn(jobs, kind)) };
  });
}

/** Name and kind of a chosen option. */
type NamedLine = Pick<OrderLineTable, "kind" | "name">;

/** The options of each job of these orders, by order. */
async function findLinesByJob(
  db: Db,
  orders: readonly { id: string }[],
): Promise<Map<string, NamedLine[][]>> {
  if (orders.length === 0) return new Map();
  const ids = orders.map(({ id }) => id);
  const rows = await db
    .selectFrom("order_lines")
    .select(["order_id", "job", "kind", "name"])
    .where("order_id", "in", ids)
    .orderBy("job")
    .execute();
  const orderLines = [...Map.groupBy(rows, ({ order_id }) => order_id)];
  return new Map(orderLines.map(([id, lines]) => [id, [...Map.groupBy(lines, ({ job }) => job).values()]]));
}

function namesIn(jobs: NamedLine[][], kind: OptionKind): string {
  const names = jobs.flat().flatMap((line) => (line.kind === kind ? line.name : []));
  return [...new Set(names)].join(" + ");
}

/** Number of open orders in each state. One count per state takes half as long as `group by`. */
export async function countOpenOrders(db: Db, filter: BoardConditions): Promise<Record<OpenState, number>> {
  return db
    .selectNoFrom(OPEN_STATES.map((state) => countOf(filter, state)))
    .$castTo<Record<OpenState, number>>()
    .executeTakeFirstOrThrow();
}

function countOf<State extends OpenState>(filter: BoardConditions, state: State) {
  return ORDERS.selectFrom("orders")
    .where(ORDERS.and(filterConditions({ ...filter, state })))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .as(state);
}

/** Number of open orders at the counter in each state. With `group by` SQLite would read all open orders, by their states. */
export async function countAtCounter(db: Db, filter: BoardConditions): Promise<Record<OpenState, number>> {
  return db
    .selectFrom("orders")
    .select(({ fn }) =>
      OPEN_STATES.map((state) => fn.countAll<number>().filterWhere("state", "=", state).as(state)),
    )
    .where(ORDERS.and(filterConditions({ ...filter, state: "open", atCounter: true })))
    .$castTo<Record<OpenState, number>>()
    .executeTakeFirstOrThrow();
}

/** Number of reported printing errors without an answer. */
export async function countReported(db: Db, shops: ShopScope): Promise<number> {
  let query = db.selectFrom("reprints").where(sql<boolean>`reprints.state = 'reported'`);
  if (shops !== "all") {
    // A join would make the database start with all orders of these shops.
    query = query.where((eb) => {
      const shopOf = eb.selectFrom("orders").whereRef("orders.id", "=", "reprints.order_id");
      return eb(shopOf.select("orders.shop_id"), "in", shops);
    });
  }
  const { count } = await query
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

const ORDERS = expressionBuilder<Schema, "orders">();

async function conditionsOf(db: Db, filter: OrderFilter, range: OrderRange): Promise<Expression<SqlBool>[]> {
  const { after, newestFirst } = range;
  const conditions = filterConditions(filter);
  if (after) conditions.push(isAfterCursor("orders", after, newestFirst));
  if (!filter.terms?.length) return conditions;
  return [...conditions, await hasTerms(db, filter.terms, { conditions, ...range })];
}

function listingQuery(db: Db, conditions: Expression<SqlBool>[], { newestFirst, limit }: OrderRange) {
  const direction = newestFirst ? "desc" : "asc";
  return db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .leftJoin("reprints", "reprints.order_id", "orders.id")
    .leftJoin("order_holds", (join) =>
      join.onRef("order_holds.order_id", "=", "orders.id").on("order_holds.resolved_at", "is", null),
    )
    .select(["orders.id", "orders.number", "orders.state", "orders.fulfilment"])
    .select(["orders.shop_name as shopName", "users.full_name as studentName"])
    .select(["orders.pages", "orders.copies", "orders.jobs", "orders.total_paise as totalPaise"])
    .select(["orders.paid_paise as paidPaise"])
    .select(["orders.refunded_paise as refundedPaise", "orders.credited_paise as creditedPaise"])
    .select(["shops.upi_id as upiId", "orders.created_at as createdAt"])
    .select(["orders.files_delete_at as filesDeleteAt", "orders.promised_at as promisedAt"])
    .select(["reprints.state as report", "orders.reprint_of as reprintOf", "orders.held_at as heldAt"])
    .select(["order_holds.reason as holdReason", "order_holds.answered_at as holdAnsweredAt"])
    .orderBy("orders.created_at", direction)
    .orderBy("orders.id", direction)
    .where(ORDERS.and(conditions))
    .limit(limit);
}

type ListedRow = Awaited<ReturnType<ReturnType<typeof listingQuery>["execute"]>>[number];

/** @param lines the options of each job, of an order with several */
function toListing({ reprintOf, jobs, ...order }: ListedRow, lines: NamedLine[][] = []): OrderListing {
  return {
    ...order,
    isReprint: reprintOf !== null,
    parts: partsToPrint(jobs, lines),
  };
}

function filterConditions({
  shops,
  state,
  atCounter,
  reported,
  from,
  until,
  unpaid,
  fulfilment,
  paper,
  colour,
  onHold,
  dueBefore,
}: Omit<OrderFilter, "terms">): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = [isOneOf("orders.shop_id", shops)];
  if (state === "open" || isOpen(state)) conditions.push(IS_OPEN);
  if (state === "done") conditions.push(sql`not (${IS_OPEN})`);
  else if (state !== "open" && state !== "all") conditions.push(sql`orders.state = ${sql.lit(state)}`);
  if (atCounter !== undefined) conditions.push(atCounter ? IS_AT_COUNTER : sql`not (${IS_AT_COUNTER})`);
  if (reported) conditions.push(IS_REPORTED);
  if (from) conditions.push(ORDERS("orders.created_at", ">=", from));
  if (until) conditions.push(ORDERS("orders.created_at", "<", until));
  if (unpaid) conditions.push(IS_UNPAID);
  if (fulfilment) conditions.push(sql`orders.fulfilment = ${sql.lit(fulfilment)}`);
  if (paper) conditions.push(hasOption(["paperTypes", "paperSizes"], paper));
  if (colour) conditions.push(hasOption(["printedColours"], colour));
  if (onHold) conditions.push(sql`orders.held_at is not null`);
  if (dueBefore) conditions.push(IS_TO_PRINT, ORDERS("orders.promised_at", "<", dueBefore));
  return conditions;
}

/** Whether one of these options was chosen by this name, for all of the order or a part. */
function hasOption(kinds: OptionKind[], name: string): Expression<SqlBool> {
  return ORDERS.exists(
    ORDERS.selectFrom("order_lines")
      .select("order_lines.name")
      .whereRef("order_lines.order_id", "=", "orders.id")
      .where("order_lines.kind", "in", kinds)
      .where("order_lines.name", "=", name),
  );
}

const IS_AT_COUNTER = sql<boolean>`orders.fulfilment = 'counter'`;

const IS_REPORTED = sql<boolean>`orders.id in (select order_id from reprints where state = 'reported')`;

function isOpen(state: OrderFilter["state"]): boolean {
  return (OPEN_STATES as readonly string[]).includes(state);
}
