import type { Db } from "#db/open.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import type { OrderState } from "#shared/order-states.ts";
import type { ListPlace } from "#shared/schemas/paging.ts";

/** An order as the student who placed it sees it; times are ISO 8601 in UTC. */
export interface OwnOrder {
  id: string;
  number: string;
  state: OrderState;
  fulfilment: Fulfilment;
  shopName: string;
  pages: number;
  copies: number;
  totalPaise: number;
  createdAt: string;
  /** When the files of a printed order are deleted. */
  filesDeleteAt: string | null;
}

/** This user's orders, the newest first, from a row of the list on. */
export async function findOwnOrders(
  db: Db,
  userId: string,
  { after, limit }: { after: ListPlace | undefined; limit: number },
): Promise<OwnOrder[]> {
  let query = db
    .selectFrom("orders")
    .select(["id", "number", "state", "fulfilment", "shop_name as shopName", "pages", "copies"])
    .select(["total_paise as totalPaise", "created_at as createdAt", "files_delete_at as filesDeleteAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit);
  if (after) {
    query = query.where((eb) =>
      eb(eb.refTuple("created_at", "id"), "<", eb.tuple(after.createdAt, after.id)),
    );
  }
  return query.execute();
}

/** Why orders were cancelled, by order. */
export async function findCancelReasons(db: Db, orderIds: string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("order_events")
    .select(["order_id", "reason"])
    .where("order_id", "in", orderIds)
    .where("reason", "is not", null)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row.reason ?? ""]));
}

export interface OrderFilesFate {
  count: number;
  /** How many of them nobody can read any more, and how many have left the store. */
  deleted: number;
  erased: number;
  lastErasedAt: string | null;
}

/** What became of the files of these orders, by order. */
export async function findFilesFates(db: Db, orderIds: string[]): Promise<Map<string, OrderFilesFate>> {
  if (orderIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("files")
    .select(({ fn }) => [
      "order_id",
      fn.countAll<number>().as("count"),
      fn.count<number>("deleted_at").as("deleted"),
      fn.count<number>("erased_at").as("erased"),
      fn.max("erased_at").as("lastErasedAt"),
    ])
    .where("order_id", "in", orderIds)
    .groupBy("order_id")
    .execute();
  return new Map(rows.map(({ order_id, ...fate }) => [order_id ?? "", fate]));
}
