import { expect, test } from "vitest";
import { hasPendingMoves, type Move, sendInOrder, waitForMoves } from "#admin/features/order/moves.store.ts";

const change = (orderId: string): Move => ({ orderId, from: "placed", to: "printing" });

/** Starts a move; `told` holds the orders sent to the server, `answer` resolves its response. */
function move(...orderIds: string[]) {
  const answer = Promise.withResolvers<string[]>();
  const told: string[] = [];
  const done = sendInOrder(orderIds.map(change), (due) => {
    told.push(...due.map(({ orderId }) => orderId));
    return answer.promise;
  });
  return { told, done, answer: answer.resolve };
}

/** Resolves after all pending microtasks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("moves of one order are sent one after the other, without delaying those of other orders", async () => {
  const [first, second, other] = [move("a"), move("a"), move("b")];
  await settled();
  expect([first.told, second.told, other.told]).toEqual([["a"], [], ["b"]]);

  first.answer(["a"]);
  await first.done;
  await settled();
  expect(second.told).toEqual(["a"]);

  other.answer(["b"]);
  await other.done;
  expect(hasPendingMoves()).toBe(true);
  second.answer(["a"]);
  await second.done;
  expect(hasPendingMoves()).toBe(false);
});

test("a move of several orders waits for earlier moves, and leaves out orders whose earlier move failed", async () => {
  const [refused, made, several] = [move("a"), move("b"), move("a", "b", "c")];
  refused.answer([]);
  await refused.done;
  await settled();
  expect(several.told).toEqual([]);
  made.answer(["b"]);
  await settled();
  expect(several.told).toEqual(["b", "c"]);
  several.answer(["c"]);
  await several.done;
  expect(hasPendingMoves()).toBe(false);
});

test("moves that wait for a failed move are dropped, and a later one is sent", async () => {
  const [refused, second, third] = [move("a"), move("a"), move("a")];
  const answered = waitForMoves("a");
  refused.answer([]);
  await Promise.all([second.done, third.done, answered]);
  expect([second.told, third.told]).toEqual([[], []]);

  const next = move("a");
  await settled();
  expect(next.told).toEqual(["a"]);
  next.answer(["a"]);
  await next.done;
});
