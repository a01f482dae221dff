import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { counted } from "#shared/format.ts";
import { trpc } from "#ui/trpc.ts";
import { Loader } from "../../ui/loader.tsx";
import { QueryFailure } from "../../ui/query-failure.tsx";
import { ScreenMessage } from "../../ui/screen-message.tsx";
import type { BoardCard, BoardData } from "../order/order-types.ts";
import { StateMark } from "../order/state-mark.tsx";
import classes from "./board.module.css";
import { CardList, type CardListMarks, type OrderMarks } from "./order-card.tsx";
import { moveByArrows } from "./order-focus.ts";

interface BoardProps extends OrderMarks {
  shopId: string | undefined;
}

/** A column for each open state. */
export function Board({ shopId, openId, chosen }: BoardProps) {
  const { data: board, error, refetch } = trpc.board.read.useQuery({ shopId });
  if (!board && error)
    return <QueryFailure title="The orders could not be loaded" query={{ error, refetch }} />;
  if (!board) return <Loader />;
  const marks = { openId, chosen, namesShop: !shopId };
  const isEmpty = [board.counter, ...board.columns].every(({ count }) => count === 0);
  return (
    <>
      {board.reported > 0 && <ReportedNote count={board.reported} />}
      {isEmpty && <ScreenMessage title="No open orders" text="New orders appear here automatically." />}
      <AtCounter counter={board.counter} {...marks} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside */}
      <div className={classes.board} onKeyDown={moveByArrows} hidden={isEmpty}>
        {board.columns.map((column) => (
          <BoardColumn key={column.state} column={column} {...marks} />
        ))}
      </div>
      <DeliveredList cards={board.delivered} {...marks} />
    </>
  );
}

/** The orders of people who wait at the counter, whatever their state, the oldest first. */
function AtCounter({ counter, ...marks }: CardListMarks & { counter: BoardData["counter"] }) {
  const { count, cards } = counter;
  if (count === 0) return null;
  const further = count - cards.length;
  return (
    <section className={classes.counter} aria-labelledby="column-counter" data-column="counter">
      <h2 className={classes.heading} id="column-counter">
        At the counter <span className={classes.count}>{count}</span>
      </h2>
      <CardList cards={cards} className={classes.counterCards} {...marks} />
      {further > 0 && <Text mt="xs">{counted(further, "newer order")} in the table</Text>}
    </section>
  );
}

/** Recently delivered orders, collapsed. */
function DeliveredList({ cards, ...marks }: CardListMarks & { cards: BoardCard[] }) {
  if (cards.length === 0) return null;
  return (
    <details className={classes.delivered} data-column="delivered">
      <summary>Recently delivered</summary>
      <CardList cards={cards} className={classes.deliveredCards} {...marks} />
    </details>
  );
}

/** Links to orders with unanswered reports of printing errors. */
function ReportedNote({ count }: { count: number }) {
  return (
    <Text component="p" className={classes.reported}>
      <Anchor
        underline="always"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/orders"
            search={(search) => ({ ...search, view: "table", state: "all", reported: true })}
          />
        )}
      >
        {counted(count, "printing error")} to answer
      </Anchor>
    </Text>
  );
}

interface BoardColumnProps extends CardListMarks {
  column: BoardData["columns"][number];
}

/** The orders in one state, oldest first. */
function BoardColumn({ column, ...marks }: BoardColumnProps) {
  const { state, count, cards } = column;
  const further = count - cards.length;
  const headingId = `column-${state}`;
  return (
    <section className={classes.column} aria-labelledby={headingId} data-column={state}>
      <h2 className={classes.heading} id={headingId}>
        <StateMark state={state} /> <span className={classes.count}>{count}</span>
      </h2>
      {cards.length === 0 && <p className={classes.nothing}>Nothing here</p>}
      <CardList cards={cards} {...marks} />
      {further > 0 && (
        <Text mt="xs">
          <Anchor
            underline="always"
            renderRoot={(props) => (
              <Link {...props} to="/orders" search={(search) => ({ ...search, view: "table", state })} />
            )}
          >
            {counted(further, "newer order")} in the table
          </Anchor>
        </Text>
      )}
    </section>
  );
}
