import type { Context as HonoContext, Next } from "hono";

let turn: Promise<void> | null = null;

/** Resolves once everything has been looked at that came in with this turn of the event loop. */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return turn;
}

/**
 * Middleware that sends the answers to requests which came together one right after the other, as long as they are made
 * in the same turn: to wake the other side up takes longer than to make a small answer, and who is awake is not woken up
 * again. What takes longer is sent as soon as it is there.
 */
export async function answerTogether(_c: HonoContext, next: Next): Promise<void> {
  const end = endOfTurn();
  await next();
  await end;
}
