import type { Db } from "#db/open.ts";
import type { PaymentAddressChangeTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** Keeps a change, and forgets those from before `forgetBefore`. */
export async function insertChange(
  trx: Trx,
  change: PaymentAddressChangeTable,
  forgetBefore: string,
): Promise<void> {
  await trx.deleteFrom("payment_address_changes").where("changed_at", "<=", forgetBefore).execute();
  await trx.insertInto("payment_address_changes").values(change).execute();
}

/** The change that this link undoes, with its shop's name, where it was made after `since`. */
export function findChange(db: Db | Trx, tokenHash: string, since: string) {
  return db
    .selectFrom("payment_address_changes as changes")
    .innerJoin("shops", "shops.id", "changes.shop_id")
    .innerJoin("users", "users.id", "changes.changed_by")
    .selectAll("changes")
    .select(["shops.name as shop_name", "users.full_name as changed_by_name"])
    .where("changes.token_hash", "=", tokenHash)
    .where("changes.changed_at", ">", since)
    .executeTakeFirst();
}

/** The first change of a shop after `since` that replaced this address. */
export function findChangeFrom(
  trx: Trx,
  { shopId, upiId, since }: { shopId: string; upiId: string; since: string },
) {
  return trx
    .selectFrom("payment_address_changes as changes")
    .innerJoin("users", "users.id", "changes.changed_by")
    .selectAll("changes")
    .select("users.full_name as changed_by_name")
    .where("changes.shop_id", "=", shopId)
    .where("changes.old_upi_id", "=", upiId)
    .where("changes.changed_at", ">", since)
    .orderBy("changes.changed_at")
    .limit(1)
    .executeTakeFirst();
}

/** Ends the links of a change and of every later one of its shop. False: its own had ended already. */
export async function endLinks(
  trx: Trx,
  { id, shop_id, changed_at }: Pick<PaymentAddressChangeTable, "id" | "shop_id" | "changed_at">,
): Promise<boolean> {
  const own = await trx
    .deleteFrom("payment_address_changes")
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  if (!own) return false;
  await trx
    .deleteFrom("payment_address_changes")
    .where("shop_id", "=", shop_id)
    .where("changed_at", ">=", changed_at)
    .execute();
  return true;
}

/** Also raises the shop's version: who edits it meanwhile would bring the other address back. */
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

/** Whom a change of this shop's payment address concerns: its owners and all admins. */
export function findConcerned(db: Db | Trx, shopId: string) {
  return db
    .selectFrom("users")
    .select(["id", "email", "full_name"])
    .where("deleted_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("role", "=", "admin"),
        eb.and([
          eb("role", "=", "owner"),
          eb("id", "in", eb.selectFrom("shop_staff").select("user_id").where("shop_id", "=", shopId)),
        ]),
      ]),
    )
    .orderBy("email")
    .execute();
}
