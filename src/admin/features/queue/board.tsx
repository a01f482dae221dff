import { trpc } from "#client/lib/trpc.ts";
import { QueryFailure } from "../../ui/query-failure.tsx";
import { ScreenMessage } from "../../ui/screen-message.tsx";
import { Waiting } from "../../ui/waiting.tsx";
import classes from "./board.module.css";
import { BoardColumn } from "./board-column.tsx";
import { DeliveredList } from "./delivered-list.tsx";
import { moveByArrows } from "./order-focus.ts";
import type { OrderMarks } from "./order-marks.ts";
import { ReportedNote } from "./reported-note.tsx";

interface BoardProps extends OrderMarks {
  shopId: string | undefined;
}

/** A column for each state in which an order waits for somebody. */
export function Board({ shopId, openId, chosen }: BoardProps) {
  const { data: board, error, refetch } = trpc.queue.board.useQuery({ shopId });
  if (!board && error)
    return <QueryFailure title="The orders could not be loaded" query={{ error, refetch }} />;
  if (!board) return <Waiting />;
  const marks = { openId, chosen, namesShop: !shopId };
  const isEmpty = board.columns.every(({ count }) => count === 0);
  return (
    <>
      {board.reported > 0 && <ReportedNote count={board.reported} />}
      {isEmpty && (
        <ScreenMessage
          title="No open orders"
          text="A new order appears here by itself, the moment it is placed."
        />
      )}
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
