import type { ListPage, ListPlace } from "#shared/schemas/paging.ts";
import type { Context, SignedIn } from "../context.ts";
import { LOOKED_FOR, toPage } from "../paging.ts";
import {
  findCancelReasons,
  findFilesFates,
  findOwnOrders,
  type OrderFilesFate,
  type OwnOrder,
} from "./orders.own-queries.ts";

export interface OwnOrderRow extends OwnOrder {
  /** Why the shop cancelled it. */
  cancelReason: string | null;
  files: FilesFate;
}

/** `deleting` is the moment between: nobody can read them any more, and their bytes are being removed. */
export type FilesFate =
  | { count: number; status: "kept" | "deleting" }
  | { count: number; status: "deleted"; at: string };

/** The user's own orders, the newest first, and what became of them and of their files. */
export async function listOwnOrders(
  { readDb, actor }: Context<SignedIn>,
  { cursor }: { cursor?: ListPlace | null | undefined },
): Promise<ListPage<OwnOrderRow>> {
  const range = { after: cursor ?? undefined, limit: LOOKED_FOR };
  const page = toPage(await findOwnOrders(readDb, actor.user._id, range));
  const ids = page.rows.map(({ id }) => id);
  const reasons = await findCancelReasons(readDb, ids);
  const fates = await findFilesFates(readDb, ids);
  const rows = page.rows.map((order) => ({
    ...order,
    cancelReason: reasons.get(order.id) ?? null,
    files: toFate(fates.get(order.id)),
  }));
  return { ...page, rows };
}

function toFate(fate: OrderFilesFate | undefined): FilesFate {
  const { count, deleted, erased, lastErasedAt } = fate ?? {
    count: 0,
    deleted: 0,
    erased: 0,
    lastErasedAt: null,
  };
  if (lastErasedAt && erased === count) return { count, status: "deleted", at: lastErasedAt };
  return { count, status: deleted > 0 ? "deleting" : "kept" };
}
