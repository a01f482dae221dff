import type { ListPage, ListPlace } from "#shared/schemas/paging.ts";
import type { Context, SignedIn } from "../context.ts";
import { LOOKED_FOR, toPage } from "../paging.ts";
import { type FilesFate, filesFateOf } from "./orders.files-fate.ts";
import { findCancelReasons, findFilesFates, findOwnOrders, type OwnOrder } from "./orders.own-queries.ts";

export interface OwnOrderRow extends OwnOrder {
  /** Why the shop cancelled it. */
  cancelReason: string | null;
  files: FilesFate;
}

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
    files: filesFateOf(fates.get(order.id), order.filesDeleteAt),
  }));
  return { ...page, rows };
}
