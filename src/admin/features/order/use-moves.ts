import { useCallback } from "react";
import { showDone, showFailure } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";
import { awaitsPickup, DELETES_FILES, nextState, type OrderState } from "#shared/order-states.ts";
import { startHandOver } from "./hand-over.store.ts";
import type { Movable } from "./movable.ts";
import { showRefusals } from "./move-notices.ts";
import { counted, STATE_NAMES } from "./order-words.ts";
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
  const shown = useShownMoves();
  const { mutateAsync: move } = trpc.queue.move.useMutation();
  return useCallback(
    async (order: Movable, to: OrderState) => {
      const change = { orderId: order.id, from: order.state, to };
      await shown.move([change]);
      try {
        await move(change);
        if (DELETES_FILES.includes(to)) showDone(`Order ${order.number} is ${to}. Its files are deleted`);
      } catch (error) {
        shown.takeBack([change]);
        showFailure(error);
      }
      shown.settle();
    },
    [shown, move],
  );
}

function useMoveMany() {
  const shown = useShownMoves();
  const { mutateAsync: moveSeveral } = trpc.queue.moveSeveral.useMutation();
  return useCallback(
    async (orders: readonly Movable[], to: OrderState) => {
      const changes = orders.map(({ id, state }) => ({ orderId: id, from: state, to }));
      await shown.move(changes);
      try {
        const results = await moveSeveral({ orders: changes, to });
        const refused = results.filter((result) => !result.ok);
        shown.takeBack(changes.filter(({ orderId }) => refused.some((result) => result.orderId === orderId)));
        showRefusals(refused.map(({ message }) => message));
        const done = results.length - refused.length;
        if (done > 0) showDone(`${counted(done, "order")} ${STATE_NAMES[to].toLowerCase()}`);
      } catch (error) {
        shown.takeBack(changes);
        showFailure(error);
      }
      shown.settle();
    },
    [shown, moveSeveral],
  );
}
