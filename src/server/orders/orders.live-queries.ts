import type { Db } from "#db/open.ts";
import type { QueueLogTable } from "#db/schema.ts";

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
