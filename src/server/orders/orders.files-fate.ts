import type { OrderFilesFate } from "./orders.own-queries.ts";

/** `deleting` is the moment between: nobody can read them any more, and their bytes are being removed. */
export type FilesFate =
  | { count: number; status: "kept" | "deleting" }
  | { count: number; status: "deleted"; at: string };

/** What the student is told of the files of an order. */
export function filesFateOf(fate: OrderFilesFate | undefined): FilesFate {
  if (!fate) return { count: 0, status: "kept" };
  const { count, deleted, erased, lastErasedAt } = fate;
  if (lastErasedAt && erased === count) return { count, status: "deleted", at: lastErasedAt };
  return { count, status: deleted > 0 ? "deleting" : "kept" };
}
