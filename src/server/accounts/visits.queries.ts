import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import type { VisitTable } from "#db/schema.ts";
import { lockRows } from "#db/sql.ts";
import type { Trx } from "#db/transaction.ts";
import { NO_PASSWORD } from "./accounts.queries.ts";

const visitOfId = new PreparedQuery((db, { id }: Placeholders<{ id: string }>) =>
  db
    .selectFrom("visits")
    .innerJoin("users", "users.id", "visits.user_id")
    .select(["visits.id", "visits.user_id", "visits.shop_id", "visits.code", "visits.address_hash"])
    .select(["visits.expires_at", "users.full_name"])
    .where("visits.id", "=", id)
    .where("visits.ended_at", "is", null),
);

/** The visit that has not been ended, with its visitor's name. */
export async function findVisit(db: Db | Trx, id: string) {
  return visitOfId.first(db, { id });
}

/** Whether there is or was a visit with this id. */
export async function isVisitKnown(trx: Trx, id: string): Promise<boolean> {
  const row = await trx.selectFrom("visits").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}

/** Stores a visit with the row of `users` that owns its files and orders. */
export async function insertVisit(
  trx: Trx,
  { visit, fullName }: { visit: VisitTable; fullName: string },
): Promise<void> {
  await trx
    .insertInto("users")
    .values({
      id: visit.user_id,
      // A real address has no colon, so nobody can sign up, log in or get mail with this one.
      email: `visit:${visit.user_id}`,
      phone: null,
      full_name: fullName,
      password_hash: NO_PASSWORD,
      role: "visitor",
      verified_at: null,
      terms_accepted_at: null,
      created_at: visit.opened_at,
    })
    .execute();
  await trx.insertInto("visits").values(visit).execute();
}

export async function updateVisitorName(trx: Trx, userId: string, fullName: string): Promise<void> {
  await trx.updateTable("users").set({ full_name: fullName }).where("id", "=", userId).execute();
}

/** User ids of the visits whose time is over, the longest overdue first. */
export async function findDueVisits(db: Db, at: string): Promise<string[]> {
  const rows = await db
    .selectFrom("visits")
    .select("user_id")
    .where("expires_at", "<=", at)
    .where("ended_at", "is", null)
    .orderBy("expires_at")
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Ends a visit once; false if it was ended before. Its row of `users` keeps no personal data. */
export async function endVisit(
  trx: Trx,
  { userId, fullName, at }: { userId: string; fullName: string; at: string },
): Promise<boolean> {
  const ended = await trx
    .updateTable("visits")
    .set({ ended_at: at, address_hash: "" })
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!ended) return false;
  await trx
    .updateTable("users")
    .set({ full_name: fullName, deleted_at: at })
    .where("id", "=", userId)
    .execute();
  return true;
}

/** User ids of ended visits none of whose files has bytes in the store any more. */
export async function findEmptyVisits(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("visits")
    .select("user_id")
    .where("ended_at", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("files")
            .select("files.id")
            .whereRef("files.owner_id", "=", "visits.user_id")
            .where("files.erased_at", "is", null),
        ),
      ),
    )
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Deletes what an ended visit left: all of it, or only the visit where orders refer to its visitor. */
export async function deleteVisit(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("visits").where("user_id", "=", userId).execute();
  await trx.deleteFrom("files").where("owner_id", "=", userId).where("order_id", "is", null).execute();
  await trx
    .deleteFrom("users")
    .where("id", "=", userId)
    .where("role", "=", "visitor")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("orders").select("orders.id").whereRef("orders.user_id", "=", "users.id"))),
    )
    .execute();
}

/** Locks the row of an account or a visit until the transaction ends; false if it is deleted. */
export async function lockUploader(trx: Trx, id: string): Promise<boolean> {
  const row = trx.selectFrom("users").select("id").where("id", "=", id).where("deleted_at", "is", null);
  return (await lockRows(trx, row).executeTakeFirst()) !== undefined;
}
