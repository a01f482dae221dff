import type { OrderState } from "#shared/order-states.ts";
import type { BoardAnswer, OrderPage, QueueCard } from "./order-answers.ts";

/** The board once this order is in that state; the same where it does not stand on it. */
export function boardAfter(board: BoardAnswer, orderId: string, to: OrderState): BoardAnswer {
  const card = findCard(board, orderId);
  if (!card || card.state === to) return board;
  const moved = { ...card, state: to };
  return {
    ...board,
    columns: board.columns.map(({ state, count, cards }) => {
      const others = cards.filter(({ id }) => id !== orderId);
      if (state === to) return { state, count: count + 1, cards: byAge([...others, moved]) };
      return { state, count: state === card.state ? count - 1 : count, cards: others };
    }),
    delivered: [
      ...(to === "delivered" ? [moved] : []),
      ...board.delivered.filter(({ id }) => id !== orderId),
    ],
  };
}

/** The pages of the table once this order is in that state. It stays where it is until they are fetched again. */
export function pagesAfter(pages: OrderPage[], orderId: string, to: OrderState): OrderPage[] {
  return pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => (row.id === orderId ? { ...row, state: to } : row)),
  }));
}

function findCard({ columns, delivered }: BoardAnswer, orderId: string): QueueCard | undefined {
  return [...columns.flatMap(({ cards }) => cards), ...delivered].find(({ id }) => id === orderId);
}

function byAge(cards: QueueCard[]): QueueCard[] {
  return cards.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}
