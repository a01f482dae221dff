import { setTimeout as sleep } from "node:timers/promises";
import { type Fulfilment, nextState, type OrderState } from "#shared/order-states.ts";
import type { Dice } from "../load/dice.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { logIn } from "./students.ts";
import type { World } from "./world.ts";

export const ADMIN = { email: "admin@chaos.example", password: "a long password" };

interface OpenOrder {
  id: string;
  state: OrderState;
  fulfilment: Fulfilment;
}

/**
 * Moves orders to their next states, undoes some prints and cancels a few. Several staff may meet at the same order.
 */
export async function actAsStaff(world: World, dice: Dice): Promise<void> {
  const visitor = world.visitor();
  await logIn(world, visitor, ADMIN);
  while (!world.isOver) {
    const list = { state: "open", sort: dice.chance(0.7) ? "oldest" : "newest" };
    const { body } = await world.insist("the queue", () => visitor.query("board.page", list));
    const orders: OpenOrder[] = body.result?.data.rows ?? [];
    const chosen = Array.from({ length: Math.min(orders.length, 4) }, () => dice.pick(orders));
    for (const order of new Set(chosen)) await moveOn(world, dice, visitor, order);
    await sleep(dice.int(20, 200));
  }
}

/** Tries once: without a response, the queue shows the order's state later. */
async function moveOn(world: World, dice: Dice, visitor: ApiClient, order: OpenOrder): Promise<void> {
  const { id: orderId, state: from } = order;
  const next = nextState(order);
  if (!next) return;
  const isCancelled = from !== "dispatched" && dice.chance(0.08);
  const isStuck = from === "printed" && dice.chance(0.2);
  const to = isCancelled ? "cancelled" : isStuck ? "printing" : next;
  const answer = await world.ask(`a move to ${to}`, () =>
    isCancelled
      ? visitor.mutate("board.cancel", { orderId, from, reason: "The printer is on fire" })
      : visitor.mutate("board.move", { orderId, from, to }),
  );
  if (answer?.status === 200) world.ledger.moves.push({ orderId, state: to });
  else if (answer && answer.status !== 409) {
    world.ledger.surprises.push(
      `a move to ${to}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`,
    );
  }
}
