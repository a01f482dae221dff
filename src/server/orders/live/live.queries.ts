import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import type { LiveEventTable } from "#db/schema.ts";
import { isOneOf } from "#db/sql.ts";
import { afterCommit, type Trx } from "#db/transaction.ts";
import type { ShopScope } from "../../context.ts";

export type LoggedEvent = Readonly<LiveEventTable>;

const nextNumber = new PreparedQuery((db) =>
  db
    .updateTable("live_event_head")
    .set((eb) => ({ seq: eb("seq", "+", 1) }))
    .returning("seq"),
);
const newEntry = new PreparedInsert((db, rows: Placeholders<LoggedEvent>[]) =>
  db.insertInto("live_events").values(rows),
);

/**
 * Writes the next event. Its number comes from a row that stays locked until the transaction ends, so that numbers become
 * visible in order and without gaps; a PostgreSQL sequence could show 8 before 7 is committed. Call it late in a
 * transaction, because other transactions wait for that row.
 */
export async function appendEvent(trx: Trx, entry: Omit<LoggedEvent, "seq">): Promise<void> {
  const head = await nextNumber.first(trx, {});
  if (!head) throw new Error("live_event_head has no row");
  await newEntry.rows(trx, [{ ...entry, seq: head.seq }]);
  afterCommit(trx, "notifyFollowers");
}

/** Number of the newest event, kept or deleted; 0 before the first. */
export async function findLastSeq(db: Db): Promise<number> {
  const { seq } = await db.selectFrom("live_event_head").select("seq").executeTakeFirstOrThrow();
  return seq;
}

/** Number of the oldest event that is still stored. */
export async function findFirstSeq(db: Db): Promise<number | undefined> {
  const oldest = await db.selectFrom("live_events").select("seq").orderBy("seq").limit(1).executeTakeFirst();
  return oldest?.seq;
}

/** Events of these shops after one number and up to another, oldest first. */
export async function findEvents(
  db: Db,
  { after, upTo, shops }: { after: number; upTo: number; shops: ShopScope },
): Promise<LoggedEvent[]> {
  return db
    .selectFrom("live_events")
    .selectAll()
    .where("seq", ">", after)
    .where("seq", "<=", upTo)
    .where(isOneOf("shop_id", shops))
    .orderBy("seq")
    .execute();
}

/** The data that decides who is notified of an event: its shop, and the student who placed the order. */
export interface EventAudience extends Pick<LiveEventTable, "seq" | "kind" | "shop_id"> {
  user_id: string;
}

/** The next events after a number, oldest first. */
export async function findNextEvents(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<EventAudience[]> {
  return db
    .selectFrom("live_events")
    .innerJoin("orders", "orders.id", "live_events.order_id")
    .select(["live_events.seq", "live_events.kind", "live_events.shop_id", "orders.user_id"])
    .where("live_events.seq", ">", after)
    .orderBy("live_events.seq")
    .limit(limit)
    .execute();
}

/**
 * Deletes all events up to the newest one from before this time. A later number can have an earlier time; without it, readers
 * of the number before would miss it unnoticed.
 */
export async function deleteEventsBefore(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom("live_events")
    .where("seq", "<=", (eb) =>
      eb
        .selectFrom("live_events")
        .select(({ fn }) => fn.max<number>("seq").as("seq"))
        .where("created_at", "<", before),
    )
    .execute();
}

/** Events of this user's orders after one number and up to another, oldest first, without staff notes. */
export async function findOwnEvents(
  db: Db,
  { after, upTo, userId }: { after: number; upTo: number; userId: string },
): Promise<LiveEventTable[]> {
  return db
    .selectFrom("live_events")
    .innerJoin("orders", "orders.id", "live_events.order_id")
    .selectAll("live_events")
    .where("live_events.seq", ">", after)
    .where("live_events.seq", "<=", upTo)
    .where("live_events.kind", "!=", "noted")
    .where("orders.user_id", "=", userId)
    .orderBy("live_events.seq")
    .execute();
}
