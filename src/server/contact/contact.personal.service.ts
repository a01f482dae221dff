import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { deleteMessagesFrom, findMessagesFrom, type SentMessage } from "./contact.personal-queries.ts";

/** What was written through the contact form under this address. */
export function exportMessages(db: Db, email: string): Promise<SentMessage[]> {
  return findMessagesFrom(db, email);
}

/** Forgets what was written under this address: there is nobody left to answer. */
export function forgetMessages(trx: Trx, email: string): Promise<void> {
  return deleteMessagesFrom(trx, email);
}
