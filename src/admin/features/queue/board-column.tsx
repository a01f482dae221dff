import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { counted } from "#shared/counted.ts";
import type { Board } from "../order/order-answers.ts";
import { StateMark } from "../order/state-mark.tsx";
import classes from "./board.module.css";
import { CardList } from "./card-list.tsx";
import type { CardListMarks } from "./order-marks.ts";

interface BoardColumnProps extends CardListMarks {
  column: Board["columns"][number];
}

/** The orders in one state, the oldest first. */
export function BoardColumn({ column, ...marks }: BoardColumnProps) {
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
