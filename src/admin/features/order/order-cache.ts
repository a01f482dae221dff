import { type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { nextState, type OrderState } from "#shared/order-states.ts";
import { trpc } from "#ui/trpc.ts";
import { hasPendingMoves } from "./moves.store.ts";
import type { BoardCard, BoardData, MovableOrder, OrderDetail, OrderPage } from "./order-types.ts";

/** Query keys of the board, the table and single orders, for all shops, filters and ids. */
export const BOARD_KEY = getQueryKey(trpc.board.read);
export const PAGE_KEY = getQueryKey(trpc.board.page);
const ORDER_KEY = getQueryKey(trpc.board.order);
export const LIST_KEYS = [BOARD_KEY, PAGE_KEY];

/** Whether the server has not answered all changes yet; until then fetched lists may be older than the screen. */
export function isMoving(queryClient: QueryClient): boolean {
  return hasPendingMoves() || queryClient.isMutating({ mutationKey: [["board"]] }) > 0;
}

/** Finds an order in the data that the screen shows now. */
export function useFindOrder(): (orderId: string | undefined) => MovableOrder | undefined {
  const queryClient = useQueryClient();

  /** Inactive queries hold what earlier screens showed, which may be out of date. */
  function shown<Answer>(queryKey: QueryKey): Answer[] {
    return queryClient.getQueriesData<Answer>({ queryKey, type: "active" }).flatMap(([, data]) => data ?? []);
  }

  return (orderId) =>
    [
      ...shown<OrderDetail>(ORDER_KEY),
      ...shown<BoardData>(BOARD_KEY).flatMap(({ counter, columns }) =>
        [counter, ...columns].flatMap(({ cards }) => cards),
      ),
      ...shown<{ pages: OrderPage[] }>(PAGE_KEY).flatMap(({ pages }) => pages.flatMap(({ rows }) => rows)),
    ].find(({ id }) => id === orderId);
}

/** The board with this order in another state; unchanged if the order is not on it. */
export function moveOnBoard(board: BoardData, orderId: string, to: OrderState): BoardData {
  const card = findCard(board, orderId);
  if (!card || card.state === to) return board;
  const moved = { ...card, state: to };
  const delivered = [
    ...(to === "delivered" ? [moved] : []),
    ...board.delivered.filter(({ id }) => id !== orderId),
  ];
  if (card.fulfilment === "counter")
    return { ...board, counter: moveAtCounter(board.counter, moved), delivered };
  return {
    ...board,
    columns: board.columns.map(({ state, count, cards }) => {
      const others = cards.filter(({ id }) => id !== orderId);
      if (state === to) return { state, count: count + 1, cards: byAge([...others, moved]) };
      return { state, count: state === card.state ? count - 1 : count, cards: others };
    }),
    delivered,
  };
}

/** The people at the counter with this order in its new state, or without it once it is done. */
function moveAtCounter({ count, cards }: BoardData["counter"], moved: BoardCard): BoardData["counter"] {
  const others = cards.filter(({ id }) => id !== moved.id);
  const wasHere = others.length < cards.length;
  if (nextState(moved) === null) return { count: count - (wasHere ? 1 : 0), cards: others };
  return { count: count + (wasHere ? 0 : 1), cards: byAge([...others, moved]) };
}

/** The table's pages with this order in another state. Its row keeps its place until the next fetch. */
export function moveInTable(pages: OrderPage[], orderId: string, to: OrderState): OrderPage[] {
  return pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => (row.id === orderId ? { ...row, state: to } : row)),
  }));
}

function findCard({ counter, columns, delivered }: BoardData, orderId: string): BoardCard | undefined {
  return [...counter.cards, ...columns.flatMap(({ cards }) => cards), ...delivered].find(
    ({ id }) => id === orderId,
  );
}

function byAge(cards: BoardCard[]): BoardCard[] {
  return cards.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}
