import { sql } from "kysely";
import type { Db } from "#db/open.ts";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import type { QueueLogTable } from "#db/schema.ts";
import { afterCommit, type Trx } from "#db/transaction.ts";
import type { ShopScope } from "../../context.ts";

export type LogEntry = Readonly<QueueLogTable>;

const nextNumber = new PreparedQuery((db) =>
  db
    .updateTable("queue_head")
    .set((eb) => ({ seq: eb("seq", "+", 1) }))
    .returning("seq"),
);
const newEntry = new PreparedInsert((db, rows: Placeholders<LogEntry>[]) =>
  db.insertInto("queue_log").values(rows),
);

/**
 * Writes the next entry of the log. Its number comes from a row that stays locked until the transaction ends, so
 * numbers become visible in their order and without gaps, on PostgreSQL too, where a sequence would show 8 before 7
 * is committed: whoever has read up to a number has missed nothing before it. Call it late in a transaction, for
 * others wait for the row.
 */
export async function appendToLog(trx: Trx, entry: Omit<LogEntry, "seq">): Promise<void> {
  const head = await nextNumber.first(trx, {});
  if (!head) throw new Error("The queue's log has no head");
  await newEntry.rows(trx, [{ ...entry, seq: head.seq }]);
  afterCommit(trx, "notifyFollowers");
}

/** The number of the newest entry there ever was; 0 before the first. */
export async function findLogHead(db: Db): Promise<number> {
  const { seq } = await db.selectFrom("queue_head").select("seq").executeTakeFirstOrThrow();
  return seq;
}

/** The number of the oldest entry that is still kept. */
export async function findLogStart(db: Db): Promise<number | undefined> {
  const oldest = await db.selectFrom("queue_log").select("seq").orderBy("seq").limit(1).executeTakeFirst();
  return oldest?.seq;
}

/** The entries after a number that concern these shops, oldest first. */
export async function findLogEntries(
  db: Db,
  { after, upTo, shops }: { after: number; upTo: number; shops: ShopScope },
): Promise<LogEntry[]> {
  let query = db.selectFrom("queue_log").selectAll().where("seq", ">", after).where("seq", "<=", upTo);
  if (shops !== "all") {
    query = shops.length === 0 ? query.where(sql<boolean>`1 = 0`) : query.where("shop_id", "in", shops);
  }
  return query.orderBy("seq").execute();
}

/** Whom an entry may concern: those of its shop, and who placed the order. */
export interface Headline extends Pick<QueueLogTable, "seq" | "kind" | "shop_id"> {
  user_id: string;
}

/** The next entries after a number, of whomever, oldest first. */
export async function findHeadlines(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<Headline[]> {
  return db
    .selectFrom("queue_log")
    .innerJoin("orders", "orders.id", "queue_log.order_id")
    .select(["queue_log.seq", "queue_log.kind", "queue_log.shop_id", "orders.user_id"])
    .where("queue_log.seq", ">", after)
    .orderBy("queue_log.seq")
    .limit(limit)
    .execute();
}

export async function deleteLogBefore(db: Db, before: string): Promise<void> {
  await db.deleteFrom("queue_log").where("created_at", "<", before).execute();
}

/** The entries after a number that concern orders of this user, oldest first. What staff tell each other is none. */
export async function findOwnLogEntries(
  db: Db,
  { after, upTo, userId }: { after: number; upTo: number; userId: string },
): Promise<QueueLogTable[]> {
  return db
    .selectFrom("queue_log")
    .innerJoin("orders", "orders.id", "queue_log.order_id")
    .selectAll("queue_log")
    .where("queue_log.seq", ">", after)
    .where("queue_log.seq", "<=", upTo)
    .where("queue_log.kind", "!=", "noted")
    .where("orders.user_id", "=", userId)
    .orderBy("queue_log.seq")
    .execute();
}
