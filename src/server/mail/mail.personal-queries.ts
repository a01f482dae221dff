import { sql } from "kysely";
import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { ACCOUNT_DELETED_MAIL } from "#shared/schemas/mails.ts";
import type { MailBody } from "./mail.queries.ts";

interface AddressedMail {
  kind: string;
  subject: string;
  writtenAt: string;
  sentAt: string | null;
  /** It holds a code or a link that opens an account. */
  secret: boolean;
  body: MailBody;
}

/** Mails to this address, the newest first. */
export async function findMailsTo(db: Db, email: string): Promise<AddressedMail[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(["kind", "subject", "created_at as writtenAt", "sent_at as sentAt", "secret"])
    .select(["content", "text_body as text", "html_body as html", "images"])
    .where("recipient", "=", email)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ content, text, html, images, secret, ...mail }) => ({
    ...mail,
    secret: secret === 1,
    body: { content, text, html, images },
  }));
}

/** Deletes the mails to this address and those that are answered to it, sent or not. */
export async function deleteMailsAbout(trx: Trx, email: string): Promise<void> {
  await trx
    .deleteFrom("outbox")
    .where((eb) => eb.or([eb("recipient", "=", email), eb("reply_to", "=", email)]))
    .execute();
}

/** Deletes the farewells that were written before `before` and that nothing more is done with. */
export async function deleteDoneFarewells(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom("outbox")
    // Word for word the condition of their index; with a bound value no database would recognise it.
    .where("kind", "=", sql.lit(ACCOUNT_DELETED_MAIL))
    .where("created_at", "<", before)
    .where((eb) => eb.or([eb("sent_at", "is not", null), eb("failed_at", "is not", null)]))
    .execute();
}
