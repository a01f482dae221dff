import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";

export interface SentMessage {
  fullName: string;
  subject: string;
  message: string;
  sentAt: string;
}

/** Messages that were sent under this address, the newest first. */
export async function findMessagesFrom(db: Db, email: string): Promise<SentMessage[]> {
  return db
    .selectFrom("contact_messages")
    .select(["full_name as fullName", "subject", "message", "created_at as sentAt"])
    .where("email", "=", email)
    .orderBy("created_at", "desc")
    .execute();
}

export async function deleteMessagesFrom(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom("contact_messages").where("email", "=", email).execute();
}
