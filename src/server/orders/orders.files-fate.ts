import type { OrderFilesFate } from "./orders.own-queries.ts";

/** `deleting` is the moment between: nobody can read them any more, and their bytes are being removed. */
export type FilesFate =
  | { count: number; status: "deleting" }
  /** `deleteAt` is when they will be deleted, once the order is printed. */
  | { count: number; status: "kept"; deleteAt: string | null }
  | { count: number; status: "deleted"; at: string };

/** What the student is told of the files of an order. */
export function filesFateOf(fate: OrderFilesFate | undefined, deleteAt: string | null): FilesFate {
  if (!fate) return { count: 0, status: "kept", deleteAt };
  const { count, deleted, erased, lastErasedAt } = fate;
  if (lastErasedAt && erased === count) return { count, status: "deleted", at: lastErasedAt };
  return deleted > 0 ? { count, status: "deleting" } : { count, status: "kept", deleteAt };
}
