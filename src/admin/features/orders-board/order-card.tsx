import { Button, Checkbox } from "@mantine/core";
import { memo } from "react";
import { counted } from "#shared/format.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbMessage from "~icons/tabler/message";
import { type LastMove, useIsJustMoved, useMovedElsewhere } from "../order/moves.store.ts";
import { BackButton, EarlyButton, MoveButton, PrintButton } from "../order/order-buttons.tsx";
import { OrderError } from "../order/order-error.tsx";
import { jobText, nextMoveName, optionsText } from "../order/order-labels.ts";
import {
  hasFlags,
  isToPrint,
  OrderAge,
  OrderDue,
  OrderFlags,
  PaymentMark,
  StateMark,
} from "../order/order-marks.tsx";
import type { BoardCard, MovableOrder } from "../order/order-types.ts";
import { useOrderActions } from "./order-actions.ts";
import classes from "./order-card.module.css";
import { followOrder, useOrderFocus } from "./order-focus.ts";

interface OrderCardProps {
  card: BoardCard;
  isOpen: boolean;
  /** Whether another order is open: Tab then leads from that to its panel, and the arrow keys to this one. */
  isBeside: boolean;
  isChosen: boolean;
  namesShop: boolean;
}

/** An order on the board with its next step. Memoised: it renders only when it changes. */
const OrderCard = memo(function OrderCard({ card, isOpen, isBeside, isChosen, namesShop }: OrderCardProps) {
  const { open, moveOn, choose } = useOrderActions();
  const focus = useOrderFocus(card.id);
  const next = nextMoveName(card);
  const atCounter = card.fulfilment === "counter";
  const isMoved = useIsJustMoved(card.id);
  const isMovedElsewhere = useMovedElsewhere(card);
  return (
    <li className={classes.card} data-open={isOpen || undefined} data-moved={isMoved || undefined}>
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
          tabIndex={isBeside ? -1 : undefined}
          aria-expanded={isOpen}
          onClick={() => open(isOpen ? undefined : card.id)}
        >
          {card.number}
        </button>
        {card.promisedAt && isToPrint(card) ? <OrderDue order={card} /> : <OrderAge order={card} />}
      </div>
      <p className={classes.line}>
        <strong className={classes.cut}>{card.studentName}</strong>
        <span className={classes.job}>{jobText(card)}</span>
      </p>
      <p className={classes.options}>{optionsText(card)}</p>
      {card.message && (
        <p className={classes.message} title={card.message}>
          <TbMessage size={14} />
          <span className={classes.cut}>{card.message}</span>
        </p>
      )}
      {(namesShop || atCounter || hasFlags(card)) && (
        <div className={classes.marks}>
          {atCounter && <StateMark state={card.state} fulfilment={card.fulfilment} />}
          <OrderFlags order={card} />
          {namesShop && <span className={`${classes.shop} ${classes.cut}`}>{card.shopName}</span>}
        </div>
      )}
      {!isOpen && <OrderError order={card} className={classes.error ?? ""} />}
      <div className={classes.foot}>
        <PaymentMark order={card} />
        <span className={classes.actions} style={{ pointerEvents: isMovedElsewhere ? "none" : undefined }}>
          {card.state === "printed" && <BackButton order={card} isIcon tabIndex={-1} />}
          <PrintButton order={card} size="compact-sm" tabIndex={-1} />
          <EarlyButton order={card} tabIndex={-1} />
          <MoveButton
            order={card}
            moveOn={moveOn}
            namesOrder
            isIcon={card.state === "placed"}
            size="compact-sm"
            tabIndex={-1}
          />
        </span>
      </div>
    </li>
  );
});

interface CardListProps extends CardListMarks {
  cards: BoardCard[];
  /** The move that took an order out of this list. */
  moved?: LastMove | null;
}

/** Cards, the oldest first, with the note of the last move in the place of its card. */
export function CardList({ cards, moved, openId, chosen, namesShop }: CardListProps) {
  const left = moved?.orders[0];
  const place = left ? cards.findIndex((card) => isNewer(card, left)) : -1;
  const before = place < 0 ? cards : cards.slice(0, place);
  const show = (card: BoardCard) => (
    <OrderCard
      key={card.id}
      card={card}
      isOpen={card.id === openId}
      isBeside={openId !== undefined && card.id !== openId}
      isChosen={chosen.has(card.id)}
      namesShop={namesShop}
    />
  );
  return (
    <ul className={classes.cards}>
      {[
        ...before.map(show),
        moved && <MovedNote key="moved" move={moved} />,
        ...cards.slice(before.length).map(show),
      ]}
    </ul>
  );
}

function isNewer(card: BoardCard, order: MovableOrder): boolean {
  const than = order.createdAt ?? order.placedAt ?? "";
  return card.createdAt > than || (card.createdAt === than && card.id > order.id);
}

/** Where the order of this place went, with the button that brings it back. */
function MovedNote({ move: { orders, text, undo } }: { move: LastMove }) {
  const [first, second] = orders;
  if (!first) return null;
  const what = second ? counted(orders.length, "order") : first.number;
  return (
    <li className={classes.moved}>
      <span role="status">
        <strong>{what}</strong> {text}
      </span>
      {undo && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Undo: ${what} ${text}`}
          onClick={(event) => {
            ignoreSecondPress(event);
            if (event.detail === 0) followOrder(first.id);
            undo();
          }}
        >
          Undo
        </Button>
      )}
    </li>
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
