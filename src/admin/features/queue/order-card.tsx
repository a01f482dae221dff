import { Checkbox } from "@mantine/core";
import { memo } from "react";
import { TbMessage } from "react-icons/tb";
import { BackButton } from "../order/back-button.tsx";
import { MoveButton } from "../order/move-button.tsx";
import type { QueueCard } from "../order/order-answers.ts";
import { OrderFlags } from "../order/order-flags.tsx";
import { handlingText, jobText, nextMoveName } from "../order/order-words.ts";
import { Waiting } from "../order/waiting.tsx";
import boardClasses from "./board.module.css";
import classes from "./order-card.module.css";
import { useOrderFocus } from "./order-focus.ts";
import type { CardListMarks } from "./order-marks.ts";
import { useQueueActions } from "./queue-context.ts";

interface OrderCardProps {
  card: QueueCard;
  isOpen: boolean;
  isChosen: boolean;
  namesShop: boolean;
}

/** An order on the board: enough to print by, and its next step. Drawn anew only when something about it changes. */
const OrderCard = memo(function OrderCard({ card, isOpen, isChosen, namesShop }: OrderCardProps) {
  const { open, moveOn, choose } = useQueueActions();
  const focus = useOrderFocus(card.id);
  const next = nextMoveName(card);
  return (
    <li className={classes.card} data-open={isOpen || undefined}>
      <div className={classes.top}>
        {next && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`Choose order ${card.number}`}
            checked={isChosen}
            onChange={() => choose(card)}
          />
        )}
        <button
          type="button"
          ref={focus}
          className={classes.open}
          data-order-id={card.id}
          aria-expanded={isOpen}
          onClick={() => open(isOpen ? undefined : card.id)}
        >
          {card.number}
        </button>
        <Waiting since={card.createdAt} state={card.state} />
      </div>
      <p className={classes.line}>
        <span className={classes.cut}>{card.studentName}</span>
        <span className={classes.job}>{jobText(card)}</span>
      </p>
      <p className={classes.options}>{card.options.join(" · ")}</p>
      <p className={classes.options}>{handlingText(card)}</p>
      <OrderFlags order={card} />
      {card.message && (
        <p className={classes.message}>
          <TbMessage size={14} aria-hidden="true" />
          <span className={classes.cut}>{card.message}</span>
        </p>
      )}
      {namesShop && <p className={`${classes.shop} ${classes.cut}`}>{card.shopName}</p>}
      <BackButton
        order={card}
        namesOrder
        size="compact-sm"
        variant="subtle"
        tabIndex={-1}
        className={classes.back}
      />
      <MoveButton
        order={card}
        moveOn={moveOn}
        namesOrder
        size="compact-sm"
        variant="default"
        tabIndex={-1}
        className={classes.next}
      />
    </li>
  );
});

interface CardListProps extends CardListMarks {
  cards: QueueCard[];
  className?: string;
}

export function CardList({ cards, openId, chosen, namesShop, className = "" }: CardListProps) {
  return (
    <ul className={`${boardClasses.cards} ${className}`}>
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
