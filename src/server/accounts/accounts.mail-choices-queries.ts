import type { Db } from "#db/open.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared-query.ts";
import type { Trx } from "#db/transaction.ts";
import type { MailChoice } from "#shared/mail-choices.ts";

const refusalsOf = new PreparedQuery((db, { userId }: Placeholders<{ userId: string }>) =>
  db.selectFrom("mail_refusals").select("kind").where("user_id", "=", userId),
);

/** The mails that this user does without. */
export async function findRefusals(db: Db | Trx, userId: string): Promise<MailChoice[]> {
  const rows = await refusalsOf.rows(db, { userId });
  return rows.map(({ kind }) => kind);
}

export async function insertRefusal(db: Db, userId: string, kind: MailChoice): Promise<void> {
  await db
    .insertInto("mail_refusals")
    .values({ user_id: userId, kind })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteRefusal(db: Db, userId: string, kind: MailChoice): Promise<void> {
  await db.deleteFrom("mail_refusals").where("user_id", "=", userId).where("kind", "=", kind).execute();
}
