import type { ExpressionBuilder } from "kysely";
import type { Db } from "#db/database.ts";
import { changeFact, claimFact, findFact } from "#db/facts.ts";
import type { PushMessageTable, PushSubscriptionTable, Schema } from "#db/schema.ts";
import { isUnleased, lockRow, skipLockedRows } from "#db/sql.ts";
import { afterCommit, type Trx } from "#db/transaction.ts";

/** The row in store_facts with the sealed key pair by which the push services know this store. */
export const KEYS_FACT = "push-keys";

export function findSealedKeys(db: Db | Trx): Promise<string | undefined> {
  return findFact(db, KEYS_FACT);
}

/** Stores the first key pair; one that another server stored first stays. */
export async function insertSealedKeys(db: Db, value: string): Promise<void> {
  await claimFact(db, KEYS_FACT, value);
}

/**
 * Replaces a key pair that can no longer be read, unless another server has done so. The subscriptions made with the old
 * one are deleted.
 */
export async function replaceSealedKeys(trx: Trx, change: { from: string; to: string }): Promise<void> {
  if (await changeFact(trx, KEYS_FACT, change)) await trx.deleteFrom("push_subscriptions").execute();
}

/**
 * Stores the subscription of a session, in place of an earlier one. A browser keeps its subscription when somebody else logs
 * in: it changes hands if the keys, which only that browser knows, are the same; otherwise false.
 */
export async function saveSubscription(
  trx: Trx,
  subscription: PushSubscriptionTable,
  limit: number,
): Promise<boolean> {
  const { id, session_id, user_id, p256dh, auth, created_at } = subscription;
  await lockRow(trx, "users", user_id);
  await trx
    .deleteFrom("push_subscriptions")
    .where("session_id", "=", session_id)
    .where("id", "<>", id)
    .execute();
  const saved = await trx
    .insertInto("push_subscriptions")
    .values(subscription)
    .onConflict((conflict) =>
      conflict
        .column("id")
        .doUpdateSet({ session_id, user_id, created_at })
        .where("push_subscriptions.p256dh", "=", p256dh)
        .where("push_subscriptions.auth", "=", auth),
    )
    .returning("id")
    .executeTakeFirst();
  if (!saved) return false;
  // What waits for it was meant for whoever had it before.
  await trx
    .deleteFrom("push_messages")
    .where("subscription_id", "=", id)
    .where("user_id", "<>", user_id)
    .execute();
  await trx
    .deleteFrom("push_subscriptions")
    .where("user_id", "=", user_id)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("push_subscriptions as kept")
        .select("kept.id")
        .where("kept.user_id", "=", user_id)
        .orderBy("kept.created_at", "desc")
        .orderBy((order) => order.case().when("kept.id", "=", id).then(0).else(1).end())
        .limit(limit),
    )
    .execute();
  return true;
}

/** The public id of a living session; undefined once it has ended. */
export async function findSessionPublicId(trx: Trx, id: string): Promise<string | undefined> {
  const session = trx.selectFrom("sessions").select("public_id").where("id", "=", id);
  return (await session.executeTakeFirst())?.public_id;
}

export async function hasSubscription(db: Db, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom("push_subscriptions")
    .innerJoin("sessions", "sessions.public_id", "push_subscriptions.session_id")
    .select("push_subscriptions.id")
    .where("sessions.id", "=", sessionId)
    .executeTakeFirst();
  return found !== undefined;
}

export async function deleteSubscriptionOf(db: Db, sessionId: string): Promise<void> {
  await db
    .deleteFrom("push_subscriptions")
    .where("session_id", "in", (eb) =>
      eb.selectFrom("sessions").select("public_id").where("id", "=", sessionId),
    )
    .execute();
}

/** Deletes a subscription that the push service no longer knows. */
export async function deleteSubscription(db: Db, id: string): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("id", "=", id).execute();
}

export async function findSubscriptionsOf(
  db: Db,
  userId: string,
): Promise<Pick<PushSubscriptionTable, "endpoint" | "created_at">[]> {
  return db
    .selectFrom("push_subscriptions")
    .select(["endpoint", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

type NewMessage = Pick<PushMessageTable, "user_id" | "topic" | "payload" | "due_at" | "expires_at">;

/**
 * Queues a message to each device of its user, except those in `except`. One that still waits under the same topic is
 * replaced, so that a device never has two of one topic waiting.
 */
export async function insertMessages(
  trx: Trx,
  message: NewMessage,
  except: readonly string[],
): Promise<void> {
  const devices = await trx
    .selectFrom("push_subscriptions")
    .select("id")
    .where("user_id", "=", message.user_id)
    .execute();
  const rows = devices
    .filter(({ id }) => !except.includes(id))
    .map(({ id }) => ({ ...message, subscription_id: id, attempts: 0, leased_until: null }));
  if (rows.length === 0) return;
  const { payload, due_at, expires_at } = message;
  await trx
    .insertInto("push_messages")
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(["subscription_id", "topic"])
        .doUpdateSet({ payload, due_at, expires_at, attempts: 0, leased_until: null }),
    )
    .execute();
  afterCommit(trx, "sendPushes");
}

/** Withdraws what waits under a topic and returns the devices that were not told. */
export async function deleteWaiting(
  trx: Trx,
  { topic, now }: { topic: string; now: string },
): Promise<string[]> {
  const deleted = await trx
    .deleteFrom("push_messages")
    .where("topic", "=", topic)
    .where(isUnleased(now))
    .returning("subscription_id")
    .execute();
  return deleted.map(({ subscription_id }) => subscription_id);
}

/** A message that this worker sends until its lease ends. */
export interface ClaimedMessage extends PushMessageTable {
  leased_until: string;
}

/** Claims up to `limit` due messages, those waiting longest first. Those that nobody needs any more are deleted. */
export async function claimDueMessages(
  db: Db,
  claim: { now: string; leaseUntil: string; limit: number },
): Promise<ClaimedMessage[]> {
  await db.deleteFrom("push_messages").where("expires_at", "<=", claim.now).execute();
  const due = db
    .selectFrom("push_messages")
    .select(["subscription_id", "topic"])
    .where("due_at", "<=", claim.now)
    .where(isUnleased(claim.now))
    .orderBy("due_at")
    .limit(claim.limit);
  const rows = await db
    .with("due", () => skipLockedRows(db, due))
    .updateTable("push_messages")
    .set((eb) => ({ leased_until: claim.leaseUntil, attempts: eb("attempts", "+", 1) }))
    .where("subscription_id", "in", (eb) => eb.selectFrom("due").select("due.subscription_id"))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("due")
          .select("due.topic")
          .whereRef("due.subscription_id", "=", "push_messages.subscription_id")
          .whereRef("due.topic", "=", "push_messages.topic"),
      ),
    )
    .returningAll()
    .execute();
  return rows.map((row) => ({ ...row, leased_until: claim.leaseUntil }));
}

/** A condition: the row is this message, claimed by this worker. A newer one may have been claimed in the same millisecond. */
function isStill({ subscription_id, topic, payload, leased_until }: ClaimedMessage) {
  return ({ and }: ExpressionBuilder<Schema, "push_messages">) =>
    and({
      "push_messages.subscription_id": subscription_id,
      "push_messages.topic": topic,
      "push_messages.payload": payload,
      "push_messages.leased_until": leased_until,
    });
}

/** The subscription that a claimed message is for, unless its session has ended or the message is claimed no longer. */
export async function findRecipient(
  db: Db,
  message: ClaimedMessage,
  now: string,
): Promise<PushSubscriptionTable | undefined> {
  return db
    .selectFrom("push_messages")
    .innerJoin("push_subscriptions", "push_subscriptions.id", "push_messages.subscription_id")
    .innerJoin("sessions", "sessions.public_id", "push_subscriptions.session_id")
    .selectAll("push_subscriptions")
    .where(isStill(message))
    .where("push_subscriptions.user_id", "=", message.user_id)
    .where("sessions.expires_at", ">", now)
    .executeTakeFirst();
}

/** Deletes a message that was sent or given up, unless a newer one has taken its place. */
export async function deleteClaimed(db: Db, message: ClaimedMessage): Promise<void> {
  await db.deleteFrom("push_messages").where(isStill(message)).execute();
}

export async function postponeClaimed(db: Db, message: ClaimedMessage, dueAt: string): Promise<void> {
  await db
    .updateTable("push_messages")
    .set({ due_at: dueAt, leased_until: null })
    .where(isStill(message))
    .execute();
}
