import type { QueueCard } from "../order/order-answers.ts";
import classes from "./board.module.css";
import { CardList } from "./card-list.tsx";
import type { CardListMarks } from "./order-marks.ts";

/** What was delivered lately, folded away: nobody has to do anything about it. */
export function DeliveredList({ cards, ...marks }: CardListMarks & { cards: QueueCard[] }) {
  if (cards.length === 0) return null;
  return (
    <details className={classes.delivered} data-column="delivered">
      <summary>Delivered lately</summary>
      <CardList cards={cards} className={classes.deliveredCards} {...marks} />
    </details>
  );
}
