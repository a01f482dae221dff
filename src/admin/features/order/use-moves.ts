import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { counted } from "#shared/format.ts";
import { indianClock } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import {
  awaitsPickup,
  nextState,
  type OrderState,
  STATE_NAMES,
  STATES_WITHOUT_FILES,
} from "#shared/order-states.ts";
import { duePaise } from "#shared/payment.ts";
import { codeOf, detailsOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { serverNow } from "../../lib/clock.ts";
import { showDone, showDoneWithUndo, showFailure, showRefusals } from "../../lib/notices.tsx";
import {
  extendNote,
  forgetLastMove,
  isJustMoved,
  type LastMove,
  lastMove,
  type Move,
  markJustMoved,
  type SendMoves,
  sendInOrder,
  showAtCard,
  startHandOver,
} from "./moves.store.ts";
import { BOARD_KEY, isMoving, LIST_KEYS, moveInTable, moveOnBoard, PAGE_KEY } from "./order-cache.ts";
import { clearOrderErrors, showOrderError } from "./order-error.tsx";
import { asksAtEnd, nextMoveName, onHoldText, stateName } from "./order-labels.ts";
import type { BoardData, MovableOrder, OrderPage } from "./order-types.ts";

const NOT_MOVED = "One order was not moved";

export type MoveOn = (orders: readonly MovableOrder[]) => void;

/**
 * Moves orders to their next states, optimistically: refused moves are reverted on the screen. The last step of a single order
 * asks for its code and the money; among several, orders that would ask are left out, and so are orders that were just moved.
 */
export function useMoveOn(): MoveOn {
  const moveGroup = useMoveGroup();
  return useCallback(
    (chosen) => {
      const [one, another] = chosen;
      if (one?.heldAt && !another) return showOrderError(one.id, onHoldText(one), NOT_MOVED);
      showUnmoved(chosen.filter(({ heldAt }) => heldAt).map(onHoldText));
      const orders = chosen.filter((order) => !order.heldAt && !isJustMoved(order));
      const [only, second] = orders;
      if (only && !second && asksAtEnd(only)) return startHandOver(only);
      showUnmoved(orders.filter(asksAtEnd).map(asksText));
      const moved = orders.filter((order) => !asksAtEnd(order));
      const groups = Map.groupBy(moved, nextState);
      for (const [to, group] of groups) {
        if (to) void moveGroup(group, to, groups.size > 1);
      }
    },
    [moveGroup],
  );
}

/** Why the last step of an order cannot be one of several. */
function asksText(order: MovableOrder): string {
  const { number } = order;
  if (awaitsPickup(order)) return `Order ${number} is for pickup: hand it over with its code`;
  const due = formatPaise(duePaise(order));
  return `Order ${number} has ${due} left to pay: choose it alone and press ${nextMoveName(order)}`;
}

/** Moves an order one state back, from printed to printing or from there to placed. */
export function useMoveBack(): (order: MovableOrder) => void {
  const moveGroup = useMoveGroup();
  return useCallback(
    (order) => void moveGroup([order], order.state === "printed" ? "printing" : "placed"),
    [moveGroup],
  );
}

/**
 * @param isOneOfSeveral whether the same press moves others to another state: the board has a note of one move only
 * @returns the ids of the orders that were moved
 */
type MoveGroup = (
  orders: readonly MovableOrder[],
  to: OrderState,
  isOneOfSeveral?: boolean,
) => Promise<string[]>;

/** Moves orders of one state together, and shows a notice where the result is not visible. */
export function useMoveGroup(): MoveGroup {
  const makeMoves = useMakeMoves();
  const { mutateAsync: move } = trpc.board.move.useMutation();
  const { mutateAsync: moveSeveral } = trpc.board.moveSeveral.useMutation();
  return useMemo(() => {
    const moveGroup: MoveGroup = async (orders, to, isOneOfSeveral = false) => {
      markJustMoved(orders);
      clearOrderErrors(orders.map(({ id }) => id));
      const changes = orders.map(({ id, state }) => ({ orderId: id, from: state, to }));
      const undo = (done: readonly MovableOrder[], from: OrderState) => () =>
        void moveGroup(
          done.map((order) => ({ ...order, state: to })),
          from,
        );
      if (isOneOfSeveral) forgetLastMove();
      const note = isOneOfSeveral ? null : noteAtCard(orders, to, undo);
      let moved: string[] = [];
      await makeMoves(changes, async (due) => {
        const [first, second] = due;
        const send = async (isAgain?: true) =>
          first && !second
            ? [{ ok: true, ...(await move({ ...first, isAgain })) }]
            : await moveSeveral({ orders: due, to, isAgain });
        // It may have been made all the same, and an order that nobody prints would look as if somebody did.
        const results = await send().catch((error) => {
          if (codeOf(error) !== null) throw error;
          return send(true);
        });
        showUnmoved(results.flatMap((result) => ("message" in result ? result.message : [])));
        const made = results.flatMap((result) => ("state" in result ? result : []));
        const ids = made.map(({ orderId }) => orderId);
        const done = orders.filter(({ id }) => ids.includes(id));
        const filesDeleteAt = made[0]?.filesDeleteAt;
        if (first)
          showMoved(done, { from: first.from, to, filesDeleteAt, undo: undo(done, first.from), note });
        moved = ids;
        return ids;
      });
      // Its Undo would take back the move of whoever was first.
      if (moved.length === 0 && note && lastMove() === note) forgetLastMove();
      return moved;
    };
    return moveGroup;
  }, [makeMoves, move, moveSeveral]);
}

/** How to take back a move of these orders from this state. */
type UndoOf = (done: readonly MovableOrder[], from: OrderState) => () => void;

/** Notes a move where its card is, before the server has answered; null where that is not on the board. */
function noteAtCard(orders: readonly MovableOrder[], to: OrderState, undo: UndoOf): LastMove | null {
  const [first] = orders;
  if (!first) return null;
  const { state } = first;
  const text = `${isUndone(to, state) ? "moved back" : "moved"} to ${stateName({ ...first, state: to })}`;
  // Whether printed orders can be taken back, the server says.
  const canUndo = isUndone(state, to) && to !== "printed";
  const move = { orders, to, text, undo: canUndo ? undo(orders, state) : undefined };
  return showAtCard(move) ? move : null;
}

/** Whether a move there can be undone, for a printed order while its files exist. */
function isUndone(from: OrderState, to: OrderState): boolean {
  return (from === "placed" && to === "printing") || (from === "printing" && to === "printed");
}

interface MadeMove {
  from: OrderState;
  to: OrderState;
  filesDeleteAt: string | undefined;
  undo: () => void;
  /** The note on the board that says so already; null where there is none. */
  note: LastMove | null;
}

function showMoved(moved: MovableOrder[], { from, to, filesDeleteAt, undo, note }: MadeMove): void {
  const [first, second] = moved;
  if (!first) return;
  const files = filesText({ to, filesDeleteAt });
  const whose = second ? "Their" : "Its";
  const canUndo = isUndone(from, to) && (to !== "printed" || filesDeleteAt !== undefined);
  if (note) {
    const text = files ? `${note.text}. ${whose} ${files}` : note.text;
    extendNote(note, { orders: moved, text, undo: canUndo ? undo : undefined });
    return;
  }
  const done = second
    ? `${counted(moved.length, "order")} ${STATE_NAMES[to].toLowerCase()}`
    : `Order ${first.number} is ${to}`;
  const text = files ? `${done}. ${whose} ${files}` : done;
  if (canUndo) showDoneWithUndo(text, undo);
  else showDone(text);
}

function filesText({ to, filesDeleteAt }: Pick<MadeMove, "to" | "filesDeleteAt">): string {
  if (filesDeleteAt) return `files will be deleted at ${indianClock(Date.parse(filesDeleteAt), serverNow())}`;
  return to === "printed" || STATES_WITHOUT_FILES.includes(to) ? "files are deleted" : "";
}

/** Shows moves at once, sends them in order, and reverts those that the server did not make. */
function useMakeMoves() {
  const shown = useShownMoves();
  return useCallback(
    async (changes: Move[], send: SendMoves) => {
      await shown.move(changes);
      await sendInOrder(changes, async (due) => {
        const moved = await send(due).catch((error): string[] => {
          showRefusedMove(due, error);
          return [];
        });
        shown.takeBack(due.filter(({ orderId }) => !moved.includes(orderId)));
        return moved;
      });
      shown.settle();
    },
    [shown],
  );
}

/** Shows on the order's card why it was not moved, or in a notice if the card is not on the screen or about to leave it. */
function showRefusedMove([first, second]: Move[], error: unknown): void {
  const state = detailsOf(error).state;
  const leaves = state === "delivered" || state === "cancelled";
  if (first && !second && !leaves) showOrderError(first.orderId, messageOf(error));
  else showFailure(error);
}

function showUnmoved(reasons: string[]): void {
  showRefusals(reasons, reasons.length === 1 ? NOT_MOVED : `${reasons.length} orders were not moved`);
}

interface ShownMoves {
  /** Shows the moves before the server has confirmed them. */
  move: (changes: Move[]) => Promise<void>;
  /** Reverts the moves on the screen. */
  takeBack: (changes: Move[]) => void;
  /** Refetches the orders. */
  settle: () => void;
}

/** Moves orders in the query cache, for all shops and filters. */
function useShownMoves(): ShownMoves {
  const queryClient = useQueryClient();
  const { board } = trpc.useUtils();

  return useMemo(() => {
    function show(orderId: string, to: OrderState): void {
      queryClient.setQueriesData<BoardData>(
        { queryKey: BOARD_KEY },
        (board) => board && moveOnBoard(board, orderId, to),
      );
      queryClient.setQueriesData<{ pages: OrderPage[] }>(
        { queryKey: PAGE_KEY },
        (list) => list && { ...list, pages: moveInTable(list.pages, orderId, to) },
      );
      board.order.setData({ orderId }, (order) => order && { ...order, state: to });
    }
    return {
      async move(changes) {
        // Running fetches would overwrite the moves with older data.
        await Promise.all([
          ...LIST_KEYS.map((queryKey) => queryClient.cancelQueries({ queryKey })),
          ...changes.map(({ orderId }) => board.order.cancel({ orderId })),
        ]);
        for (const { orderId, to } of changes) show(orderId, to);
      },
      takeBack(changes) {
        for (const { orderId, from } of changes) show(orderId, from);
      },
      settle() {
        if (!isMoving(queryClient)) void board.invalidate();
      },
    };
  }, [queryClient, board]);
}
