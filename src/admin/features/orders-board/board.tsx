import { Anchor, Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type CSSProperties, useEffect, useState } from "react";
import { counted } from "#shared/format.ts";
import { type OpenState, STATE_NAMES } from "#shared/order-states.ts";
import { type BoardFilter, MAX_COLUMN_CARDS } from "#shared/schemas/board.ts";
import { codeOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { NO_TABLE_FILTERS } from "../../lib/screen-searches.ts";
import { StateTabs } from "../../ui/filter-fields.tsx";
import { Loader, QueryFailure, ScreenMessage } from "../../ui/screen.tsx";
import { forgetLastMove, type LastMove, useLastMove } from "../order/moves.store.ts";
import { StateMark } from "../order/order-marks.tsx";
import type { BoardCard, BoardData } from "../order/order-types.ts";
import classes from "./board.module.css";
import { CardList, type CardListMarks, type OrderMarks } from "./order-card.tsx";
import { moveByArrows } from "./order-focus.ts";

interface BoardProps extends OrderMarks {
  shopId: string | undefined;
  namesShop: boolean;
  filter: BoardFilter;
  /** The state whose orders a phone shows. */
  tab: OpenState | undefined;
  onTab: (state: OpenState) => void;
}

/** A column for each open state; on a phone one of them, chosen by tabs. */
export function Board({ shopId, openId, chosen, namesShop, filter, tab, onTab }: BoardProps) {
  const [cards, setCards] = useState<number>();
  const query = trpc.board.read.useQuery(
    { shopId, ...filter, cards },
    { placeholderData: (before) => before },
  );
  const { data: board, error, refetch } = query;
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const moved = useLastMove(board, isFiltered);
  // The note of a move belongs to the board that was on the screen.
  useEffect(() => forgetLastMove, []);
  if (error && (!board || codeOf(error) === "NOT_FOUND"))
    return <QueryFailure title="The orders could not be loaded" query={{ error, refetch }} />;
  if (!board) return <Loader />;
  const marks = { openId, chosen, namesShop };
  const { fulfilment, state: left } = moved?.orders[0] ?? {};
  const isEmpty = [board.counter, ...board.columns].every(({ count }) => count === 0);
  const columns = board.columns.map((column) => ({
    ...column,
    moved: column.state === left && fulfilment !== "counter" && !isEmpty ? moved : null,
  }));
  const stays = columns.find((column) => column.moved) ?? columns.find(({ count }) => count > 0);
  const shown = tab ?? stays?.state ?? "placed";
  return (
    <>
      {board.reported > 0 && <ReportedNote count={board.reported} />}
      {isEmpty && isFiltered && (
        <ScreenMessage
          title="No open order matches these filters"
          text="Clear the filters to see all orders."
        />
      )}
      {isEmpty && !isFiltered && (
        <ScreenMessage title="No open orders" text="New orders appear here automatically." />
      )}
      {isEmpty && moved && <CardList cards={[]} moved={moved} {...marks} />}
      <AtCounter
        counter={board.counter}
        moved={fulfilment === "counter" && !isEmpty ? moved : null}
        {...marks}
      />
      {!isEmpty && <ColumnTabs columns={columns} shown={shown} onTab={onTab} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside */}
      <div
        className={classes.board}
        onKeyDown={moveByArrows}
        hidden={isEmpty}
        style={{ "--columns": columnWidths(columns) } as CSSProperties}
      >
        {columns.map((column) => (
          <BoardColumn
            key={column.state}
            column={column}
            isShown={column.state === shown}
            isLoadingMore={query.isPlaceholderData}
            onMore={setCards}
            {...marks}
          />
        ))}
      </div>
      <DeliveredList cards={board.delivered} {...marks} />
    </>
  );
}

/** A column with the last move, if that took an order out of it. */
type ShownColumn = BoardData["columns"][number] & { moved: LastMove | null };

/** Empty columns are folded to their titles, and leave their room to the others. */
function columnWidths(columns: ShownColumn[]): string {
  return columns.map((column) => (isFolded(column) ? "2.25rem" : "minmax(0, 1fr)")).join(" ");
}

function isFolded({ count, moved }: ShownColumn): boolean {
  return count === 0 && !moved;
}

interface ColumnTabsProps {
  columns: BoardData["columns"];
  shown: OpenState;
  onTab: (state: OpenState) => void;
}

function ColumnTabs({ columns, shown, onTab }: ColumnTabsProps) {
  const tabs = columns.map(({ state, count }) => ({ value: state, label: STATE_NAMES[state], count }));
  return (
    <div className={classes.tabs}>
      <StateTabs label="State" tabs={tabs} value={shown} onChange={onTab} />
    </div>
  );
}

/** The orders of people who wait at the counter, whatever their state, the oldest first. */
function AtCounter({
  counter,
  moved,
  ...marks
}: CardListMarks & { counter: BoardData["counter"]; moved: LastMove | null }) {
  const { count, cards } = counter;
  if (count === 0 && !moved) return null;
  const further = count - cards.length;
  return (
    <section className={classes.counter} aria-labelledby="column-counter" data-column="counter">
      <h2 className={classes.heading} id="column-counter">
        At the counter <span className={classes.count}>{count}</span>
      </h2>
      <CardList cards={cards} moved={moved} {...marks} />
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
      <CardList cards={cards} {...marks} />
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
            search={(search) => ({
              ...search,
              ...NO_TABLE_FILTERS,
              view: "table",
              state: "all",
              reported: true,
            })}
          />
        )}
      >
        {counted(count, "printing error")} to answer
      </Anchor>
    </Text>
  );
}

interface BoardColumnProps extends CardListMarks {
  column: ShownColumn;
  /** Whether a phone shows it. */
  isShown: boolean;
  isLoadingMore: boolean;
  /** Asks for this many cards in a column. */
  onMore: (cards: number) => void;
}

/** How many cards 'Show more' adds to a column. */
const CARDS_A_PRESS = 60;

/** The orders in one state, oldest first. */
function BoardColumn({ column, isShown, isLoadingMore, onMore, ...marks }: BoardColumnProps) {
  const { state, count, cards, moved } = column;
  const further = count - cards.length;
  const more = Math.min(MAX_COLUMN_CARDS, cards.length + CARDS_A_PRESS);
  const headingId = `column-${state}`;
  return (
    <section
      className={classes.column}
      aria-labelledby={headingId}
      data-column={state}
      data-folded={isFolded(column) || undefined}
      data-shown={isShown || undefined}
    >
      <h2 className={classes.heading} id={headingId}>
        <StateMark state={state} /> <span className={classes.count}>{count}</span>
      </h2>
      <CardList cards={cards} moved={moved} {...marks} />
      {further > 0 && more > cards.length && (
        <Button
          fullWidth
          mt="xs"
          size="xs"
          variant="default"
          loading={isLoadingMore}
          aria-label={`Show more: ${STATE_NAMES[state]}`}
          onClick={() => onMore(more)}
        >
          Show more
        </Button>
      )}
      {further > 0 && (
        <Text mt="xs">
          <Anchor
            underline="always"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/orders"
                search={(search) => ({ ...search, ...NO_TABLE_FILTERS, view: "table", state })}
              />
            )}
          >
            {counted(further, "newer order")} in the table
          </Anchor>
        </Text>
      )}
    </section>
  );
}
