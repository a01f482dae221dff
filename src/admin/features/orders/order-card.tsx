import { Checkbox } from "@mantine/core";
import { memo } from "react";
import { TbMessage } from "react-icons/tb";
import { BackButton } from "../order/back-button.tsx";
import { MoveButton } from "../order/move-button.tsx";
import { OrderAge } from "../order/order-age.tsx";
import { OrderFlags } from "../order/order-flags.tsx";
import { handlingText, jobText, nextMoveName } from "../order/order-labels.ts";
import type { BoardCard } from "../order/order-types.ts";
import { StateMark } from "../order/state-mark.tsx";
import boardClasses from "./board.module.css";
import { useOrderActions } from "./order-actions.ts";
import classes from "./order-card.module.css";
import { useOrderFocus } from "./order-focus.ts";

interface OrderCardProps {
  card: BoardCard;
  isOpen: boolean;
  isChosen: boolean;
  namesShop: boolean;
}

/** An order on the board with its next step. Memoised: it renders only when it changes. */
const OrderCard = memo(function OrderCard({ card, isOpen, isChosen, namesShop }: OrderCardProps) {
  const { open, moveOn, choose } = useOrderActions();
  const focus = useOrderFocus(card.id);
  const next = nextMoveName(card);
  const atCounter = card.fulfilment === "counter";
  return (
    <li className={classes.card} data-open={isOpen || undefined}>
      <div className={classes.top}>
        {next && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`Select order ${card.number}`}
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
        <OrderAge since={card.createdAt} state={card.state} />
      </div>
      <p className={classes.line}>
        {atCounter ? (
          <strong className={classes.cut}>{card.studentName}</strong>
        ) : (
          <span className={classes.cut}>{card.studentName}</span>
        )}
        <span className={classes.job}>{jobText(card)}</span>
      </p>
      <p className={classes.options}>{card.options.join(" · ")}</p>
      <p className={classes.options}>{handlingText(card)}</p>
      {atCounter && <StateMark state={card.state} fulfilment={card.fulfilment} />}
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
  cards: BoardCard[];
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

/** What is marked in a list of orders. */
export interface OrderMarks {
  /** The open order. */
  openId: string | undefined;
  /** The ids of the selected orders. */
  chosen: ReadonlySet<string>;
}

export interface CardListMarks extends OrderMarks {
  /** Whether orders of several shops are shown, so that each needs its shop's name. */
  namesShop: boolean;
}
