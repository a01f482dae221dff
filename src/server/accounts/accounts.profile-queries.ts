import type { Trx } from "#db/transaction.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";

/** Changes what the account says of its owner; undefined when it is deleted. */
export async function updateProfile(
  trx: Trx,
  userId: string,
  change: { full_name: string } | { phone: string },
): Promise<CurrentUser | undefined> {
  const row = await trx
    .updateTable("users")
    .set(change)
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .returning(["id as _id", "full_name as fullName", "email", "phone", "role"])
    .executeTakeFirst();
  return row && { ...row, phone: row.phone ?? "" };
}

/** Puts one password in the place of another; false when it is another one by now. */
export async function replacePassword(
  trx: Trx,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const changed = await trx
    .updateTable("users")
    .set({ password_hash: to })
    .where("id", "=", userId)
    .where("password_hash", "=", from)
    .returning("id")
    .executeTakeFirst();
  return changed !== undefined;
}
