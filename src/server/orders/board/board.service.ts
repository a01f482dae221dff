import { addDays, indianDay, startOfDay } from "#shared/indian-time.ts";
import { OPEN_STATES, type OpenState } from "#shared/order-states.ts";
import type { SizeNotes } from "#shared/paper-sizes.ts";
import type { BoardInput, DueWithin, OrderPageInput } from "#shared/schemas/board.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { type Context, chosenShops, type StaffMember } from "../../context.ts";
import { PAGE_QUERY_ROWS, toPage } from "../../lib/paging.ts";
import {
  countAtCounter,
  countOpenOrders,
  countReported,
  findOrderCards,
  findOrderListings,
  type OrderCard,
  type OrderListing,
} from "./board.queries.ts";
import { searchTerms } from "./search-words.ts";
import { findSizeNotes } from "./sizes.queries.ts";

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
  return new Date(now().getTime() - days * 24 * 60 * 60 * 1000).toISOString();
}

function dueBefore({ now }: Context, due: DueWithin): string {
  if (due === "today") return startOfDay(addDays(indianDay(now()), 1));
  const minutes = due === "hour" ? 60 : 0;
  return new Date(now().getTime() + minutes * 60_000).toISOString();
}
