import { randomUUID } from "node:crypto";
import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { oneLine } from "./mail.clean-text.ts";
import { insertMail, type MailQrCode } from "./mail.queries.ts";

export interface Mail {
  /** What it is about, such as `order-shop`; for logs and the mailbox. */
  kind: string;
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
  /** Those that the HTML part shows. */
  qrCodes?: MailQrCode[];
  /** It holds a code or a link that opens an account: its bodies are erased once they have left by SMTP. */
  secret?: boolean;
}

/**
 * Writes a mail to the outbox within the caller's transaction, so that it exists exactly when what caused it does.
 * The caller calls `wakeMail` after the commit. Gives the mail's id.
 */
export async function queueMail(trx: Trx, { now }: Pick<Deps, "now">, mail: Mail): Promise<string> {
  const id = randomUUID();
  await insertMail(trx, {
    id,
    kind: mail.kind,
    to: mail.to,
    replyTo: mail.replyTo ?? null,
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    qrCodes: mail.qrCodes ?? [],
    secret: mail.secret ?? false,
    createdAt: now().toISOString(),
  });
  return id;
}
