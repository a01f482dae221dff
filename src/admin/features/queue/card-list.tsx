import type { QueueCard } from "../order/order-answers.ts";
import classes from "./board.module.css";
import { OrderCard } from "./order-card.tsx";
import type { CardListMarks } from "./order-marks.ts";

interface CardListProps extends CardListMarks {
  cards: QueueCard[];
  className?: string;
}

export function CardList({ cards, openId, chosen, namesShop, className = "" }: CardListProps) {
  return (
    <ul className={`${classes.cards} ${className}`}>
      {cards.map((card) => (
        <OrderCard
          key={card.id}
          card={card}
          isOpen={card.id === openId}
          isChosen={chosen.has(card.id)}
          namesShop={namesShop}
        />
      ))}
    </ul>
  );
}
