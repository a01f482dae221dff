import type { Db } from "#db/open.ts";
import type { UserTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { NO_PASSWORD } from "./accounts.queries.ts";

export async function findUser(db: Db, userId: string): Promise<UserTable> {
  return db.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
}

/** Takes everything personal out of a customer's row; false when it is no customer's, or deleted already. */
export async function blankCustomer(
  trx: Trx,
  userId: string,
  { email, fullName, at }: { email: string; fullName: string; at: string },
): Promise<boolean> {
  const blanked = await trx
    .updateTable("users")
    .set({ email, phone: null, full_name: fullName, password_hash: NO_PASSWORD, deleted_at: at })
    .where("id", "=", userId)
    .where("role", "=", "customer")
    .where("deleted_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return blanked !== undefined;
}

export async function deleteMailRefusals(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("mail_refusals").where("user_id", "=", userId).execute();
}
