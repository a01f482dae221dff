import { useCallback } from "react";
import { showDone, showFailure } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import { counted } from "#shared/counted.ts";
import { awaitsPickup, DELETES_FILES, nextState, type OrderState } from "#shared/order-states.ts";
import { startHandOver } from "./hand-over.store.ts";
import type { Movable } from "./movable.ts";
import { showRefusals } from "./move-notices.ts";
import { type Change, inTurn, type Tell } from "./order-turns.ts";
import { STATE_NAMES } from "./order-words.ts";
import { useShownMoves } from "./use-shown-moves.ts";

export type MoveOn = (orders: readonly Movable[]) => void;

/**
 * Moves each of the given orders to its next state; those that have none stay. The screen shows it at once, and takes
 * it back where the server refuses. An order that waits for its pickup asks for its code, and stays where it is among
 * several.
 */
export function useMoveOn(): MoveOn {
  const moveOne = useMoveOne();
  const moveMany = useMoveMany();
  return useCallback(
    (orders) => {
      const waiting = orders.filter(awaitsPickup);
      const [handedOver] = waiting;
      if (handedOver && orders.length === 1) return startHandOver(handedOver);
      showRefusals(waiting.map(({ number }) => `Order ${number} is picked up: hand it over by its code`));
      const moved = orders.filter((order) => !awaitsPickup(order));
      for (const [to, group] of Map.groupBy(moved, nextState)) {
        const [first, second] = group;
        if (!to || !first) continue;
        if (second) void moveMany(group, to);
        else void moveOne(first, to);
      }
    },
    [moveOne, moveMany],
  );
}

function useMoveOne() {
  const makeMoves = useMakeMoves();
  const { mutateAsync: move } = trpc.queue.move.useMutation();
  return useCallback(
    (order: Movable, to: OrderState) => {
      const change = { orderId: order.id, from: order.state, to };
      return makeMoves([change], async () => {
        await move(change);
        if (DELETES_FILES.includes(to)) showDone(`Order ${order.number} is ${to}. Its files are deleted`);
        return [order.id];
      });
    },
    [makeMoves, move],
  );
}

function useMoveMany() {
  const makeMoves = useMakeMoves();
  const { mutateAsync: moveSeveral } = trpc.queue.moveSeveral.useMutation();
  return useCallback(
    (orders: readonly Movable[], to: OrderState) => {
      const changes = orders.map(({ id, state }) => ({ orderId: id, from: state, to }));
      return makeMoves(changes, async (due) => {
        const results = await moveSeveral({ orders: due, to });
        showRefusals(results.filter((result) => !result.ok).map(({ message }) => message));
        const moved = results.filter(({ ok }) => ok).map(({ orderId }) => orderId);
        if (moved.length > 0) showDone(`${counted(moved.length, "order")} ${STATE_NAMES[to].toLowerCase()}`);
        return moved;
      });
    },
    [makeMoves, moveSeveral],
  );
}

/** Shows moves at once, has the server told of them in their turn, and takes back those that it did not make. */
function useMakeMoves() {
  const shown = useShownMoves();
  return useCallback(
    async (changes: Change[], tell: Tell) => {
      await shown.move(changes);
      await inTurn(changes, async (due) => {
        const moved = await tell(due).catch((error): string[] => {
          showFailure(error);
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
