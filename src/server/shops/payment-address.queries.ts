import type { Db } from "#db/database.ts";
import type { PaymentAddressChangeTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** Inserts a change and deletes those from before `forgetBefore`. */
export async function insertChange(
  trx: Trx,
  change: PaymentAddressChangeTable,
  forgetBefore: string,
): Promise<void> {
  await trx.deleteFrom("payment_address_changes").where("changed_at", "<=", forgetBefore).execute();
  await trx.insertInto("payment_address_changes").values(change).execute();
}

/** The change that this link undoes or has undone, if made after `since`, with the shop's name. */
export function findChange(db: Db | Trx, tokenHash: string, since: string) {
  return db
    .selectFrom("payment_address_changes as changes")
    .innerJoin("shops", "shops.id", "changes.shop_id")
    .innerJoin("users", "users.id", "changes.changed_by")
    .selectAll("changes")
    .select(["shops.name as shop_name", "shops.upi_id", "users.full_name as changed_by_name"])
    .where("changes.token_hash", "=", tokenHash)
    .where("changes.changed_at", ">", since)
    .executeTakeFirst();
}

/** The shop's newest change after `since` that was not undone. */
export function findNewestChange(trx: Trx, { shopId, since }: { shopId: string; since: string }) {
  return trx
    .selectFrom("payment_address_changes")
    .selectAll()
    .where("shop_id", "=", shopId)
    .where("changed_at", ">", since)
    .where("undone_by", "is", null)
    .orderBy("changed_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Marks all changes of a shop after `since` as undone, which ends their links; returns who made them. */
export async function markUndone(
  trx: Trx,
  { shopId, since, by }: { shopId: string; since: string; by: string },
) {
  const undone = await trx
    .updateTable("payment_address_changes")
    .set({ undone_by: by })
    .where("shop_id", "=", shopId)
    .where("changed_at", ">", since)
    .where("undone_by", "is", null)
    .returning("changed_by")
    .execute();
  const makers = undone.map(({ changed_by }) => changed_by);
  return trx
    .selectFrom("users")
    .select(["id", "full_name as name"])
    .where("id", "in", makers)
    .orderBy("full_name")
    .execute();
}

/** Also increments the shop's version, so that somebody who is editing the shop cannot save the other address back. */
export async function restoreAddress(
  trx: Trx,
  { id, upiId, by, at }: { id: string; upiId: string; by: string; at: string },
): Promise<void> {
  await trx
    .updateTable("shops")
    .set((eb) => ({ upi_id: upiId, version: eb("version", "+", 1), saved_by: by, saved_at: at }))
    .where("id", "=", id)
    .execute();
}

/**
 * Who is told about a change of this shop's payment address: its owners and all admins, including those who left after
 * `leftSince`, except a former one who had entered the address that an undo restores.
 */
export function findRecipients(
  db: Db | Trx,
  { shopId, upiId, leftSince }: { shopId: string; upiId: string; leftSince: string },
) {
  return db
    .selectFrom("users")
    .select(["id", "email", "full_name"])
    .where("deleted_at", "is", null)
    .where(({ eb, selectFrom }) => {
      const admins = selectFrom("users as admins").select("admins.id").where("admins.role", "=", "admin");
      const owners = selectFrom("shop_staff")
        .innerJoin("users as owners", "owners.id", "shop_staff.user_id")
        .select("owners.id")
        .where("shop_staff.shop_id", "=", shopId)
        .where("owners.role", "=", "owner");
      const authors = selectFrom("payment_address_changes")
        .select("changed_by")
        .where("shop_id", "=", shopId)
        .where("new_upi_id", "=", upiId);
      const former = selectFrom("former_staff")
        .select("user_id as id")
        .where("left_at", ">", leftSince)
        .where((left) => left.or([left("shop_id", "=", shopId), left("shop_id", "is", null)]))
        .where("user_id", "not in", authors);
      return eb("id", "in", admins.union(owners).union(former));
    })
    .orderBy("email")
    .execute();
}
