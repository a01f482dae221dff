import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "#db/open.ts";
import type { Schema } from "#db/schema.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import type { OptionKind } from "#shared/options.ts";
import { OPEN_STATES, type OrderState } from "#shared/order-states.ts";
import type { ReprintState } from "#shared/reprints.ts";
import type { ListPlace } from "#shared/schemas/paging.ts";
import type { ShopScope } from "../shop-scope.ts";

/** An order as the lists show it. */
export interface QueueOrder {
  id: string;
  number: string;
  shopId: string;
  shopName: string;
  state: OrderState;
  studentName: string;
  pages: number;
  copies: number;
  sheets: number;
  message: string;
  totalPaise: number;
  fulfilment: Fulfilment;
  /** When it was marked as paid. */
  paidAt: string | null;
  /** Whether its shop takes UPI. */
  takesUpi: boolean;
  /** When it was placed. */
  createdAt: string;
  /** How far the report of a printing error is; null where none is reported. */
  report: ReprintState | null;
  /** Whether it prints another order again. */
  isReprint: boolean;
}

export interface OrderFilter {
  shops: ShopScope;
  state: OrderState | "open" | "all";
  /** Beginnings of folded words. */
  terms: string[];
  /** Only orders with a report that nobody has answered. */
  reported?: boolean;
  from?: string | undefined;
  until?: string | undefined;
}

export interface OrderRange {
  newestFirst: boolean;
  /** The row before the first. */
  after?: ListPlace | undefined;
  limit: number;
}

/** The orders that pass the filter, by their age, from a row of the list on. */
export async function findOrders(db: Db, filter: OrderFilter, range: OrderRange): Promise<QueueOrder[]> {
  const direction = range.newestFirst ? "desc" : "asc";
  const orders = await withTerms(db, filtered(db, filter), filter.terms);
  let query = orders
    .innerJoin("users", "users.id", "orders.user_id")
    .innerJoin("shops", "shops.id", "orders.shop_id")
    .leftJoin("reprints", "reprints.order_id", "orders.id")
    .select(["reprints.state as report", "orders.reprint_of"])
    .select(["orders.id", "orders.number", "orders.shop_id", "orders.shop_name", "orders.state"])
    .select(["users.full_name", "orders.pages", "orders.copies", "orders.sheets", "orders.message"])
    .select(["orders.total_paise", "orders.created_at"])
    .select(["orders.fulfilment", "orders.paid_at", "shops.upi_id"])
    .orderBy("orders.created_at", direction)
    .orderBy("orders.id", direction)
    .limit(range.limit);
  const { after } = range;
  if (after) {
    query = query.where((eb) =>
      eb(
        eb.refTuple("orders.created_at", "orders.id"),
        range.newestFirst ? "<" : ">",
        eb.tuple(after.createdAt, after.id),
      ),
    );
  }
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    shopId: row.shop_id,
    shopName: row.shop_name,
    state: row.state,
    studentName: row.full_name,
    pages: row.pages,
    copies: row.copies,
    sheets: row.sheets,
    message: row.message,
    totalPaise: row.total_paise,
    fulfilment: row.fulfilment,
    paidAt: row.paid_at,
    takesUpi: row.upi_id !== "",
    createdAt: row.created_at,
    report: row.report,
    isReprint: row.reprint_of !== null,
  }));
}

/** How many open orders there are in each state; a state without any is missing. */
export async function countOpenOrders(db: Db, shops: ShopScope): Promise<Map<OrderState, number>> {
  const rows = await filtered(db, { shops, state: "open" })
    .select(["orders.state", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy("orders.state")
    .execute();
  return new Map(rows.map((row) => [row.state, row.count]));
}

/** How many printing errors wait for an answer. */
export async function countReported(db: Db, shops: ShopScope): Promise<number> {
  if (shops.length === 0) return 0;
  let query = db.selectFrom("reprints").where(sql<boolean>`reprints.state = 'reported'`);
  if (shops !== "all") {
    // Asked the other way round, the database would go through all orders of these shops.
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

/** The names of the chosen options of these kinds, by order. */
export async function findOptionNames(
  db: Db,
  orderIds: string[],
  kinds: readonly OptionKind[],
): Promise<Map<string, string[]>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_lines")
    .select(["order_id", "kind", "name"])
    .where("order_id", "in", orderIds)
    .where("kind", "in", kinds)
    .execute();
  rows.sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
  const byOrder = Map.groupBy(rows, (row) => row.order_id);
  return new Map([...byOrder].map(([orderId, lines]) => [orderId, lines.map((line) => line.name)]));
}

type Orders = SelectQueryBuilder<Schema, "orders", object>;

function filtered(db: Db, { shops, state, reported, from, until }: Omit<OrderFilter, "terms">): Orders {
  let query: Orders = inShops(db.selectFrom("orders"), shops);
  if (state === "open" || isOpen(state)) query = query.where(IS_OPEN);
  if (state !== "open" && state !== "all") query = query.where("orders.state", "=", state);
  if (reported) query = query.where(IS_REPORTED);
  if (from) query = query.where("orders.created_at", ">=", from);
  if (until) query = query.where("orders.created_at", "<", until);
  return query;
}

/** Word for word the condition of the partial indexes; with bound values no database would recognise it. */
const IS_OPEN = sql<boolean>`orders.state not in ('delivered', 'cancelled')`;

const IS_REPORTED = sql<boolean>`orders.id in (select order_id from reprints where state = 'reported')`;

function isOpen(state: OrderState | "all"): boolean {
  return (OPEN_STATES as readonly string[]).includes(state);
}

function inShops(query: Orders, shops: ShopScope): Orders {
  if (shops === "all") return query;
  return shops.length === 0 ? query.where(sql<boolean>`1 = 0`) : query.where("orders.shop_id", "in", shops);
}

/** Up to so many orders are fetched by a word and then sorted; by its rarest word, where several are looked for. */
const FETCHED = { alone: 1000, together: 10_000 };

/**
 * The orders with words that begin with the terms. Where a term is frequent it is cheaper to go through the orders by
 * their age and look at the words of each, for a page is full soon; less so where several words must meet.
 */
async function withTerms(db: Db, orders: Orders, terms: string[]): Promise<Orders> {
  const counts = await Promise.all(terms.map((term) => countWords(db, term)));
  const fewest = Math.min(...counts);
  const rarest = fewest < (terms.length > 1 ? FETCHED.together : FETCHED.alone) ? counts.indexOf(fewest) : -1;
  let query = orders;
  for (const [index, term] of terms.entries()) {
    query = query.where((eb) => {
      const words = eb.selectFrom("order_words").select("order_words.order_id").where(beginsWith(term));
      if (index === rarest) return eb("orders.id", "in", words);
      return eb.exists(words.whereRef("order_words.order_id", "=", "orders.id"));
    });
  }
  return query;
}

/** How many words begin with the term; beyond what is fetched it makes no difference. */
async function countWords(db: Db, term: string): Promise<number> {
  const some = db.selectFrom("order_words").select("word").where(beginsWith(term)).limit(FETCHED.together);
  const { count } = await db
    .selectFrom(some.as("some"))
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

/** The last character that there is ends the range of the words with this beginning. */
function beginsWith(term: string): RawBuilder<SqlBool> {
  return sql`order_words.word >= ${term} and order_words.word < ${`${term}\u{10ffff}`}`;
}
