import type { Trx } from "#db/transaction.ts";
import type { Deps } from "../context.ts";
import { timedId } from "../timed-id.ts";
import type { MailContent } from "./mail.blocks.ts";
import { toBody } from "./mail.body.ts";
import { oneLine } from "./mail.clean-text.ts";
import { deleteUnsentMail, findMail, insertMails, type NewMail, type StoredMail } from "./mail.queries.ts";

export interface Mail {
  /** What it is about, such as `order-shop`; for logs and the mailbox. */
  kind: string;
  to: string;
  replyTo?: string;
  subject: string;
  content: MailContent;
  /** It holds a code or a link that opens an account: its body is erased once it has left by SMTP. */
  secret?: boolean;
  /** How long it waits before it is sent, for whoever may withdraw it. */
  waitMs?: number;
}

/**
 * Writes a mail to the outbox within the caller's transaction, so that it exists exactly when what caused it does.
 * The caller calls `wakeMail` after the commit. Gives the mail's id.
 */
export async function queueMail(trx: Trx, deps: Pick<Deps, "now">, mail: Mail): Promise<string> {
  const queued = toNewMail(deps, mail);
  await insertMails(trx, [queued]);
  return queued.id;
}

/** The same with several mails. */
export async function queueMails(trx: Trx, deps: Pick<Deps, "now">, mails: Mail[]): Promise<void> {
  await insertMails(
    trx,
    mails.map((mail) => toNewMail(deps, mail)),
  );
}

function toNewMail({ now }: Pick<Deps, "now">, mail: Mail): NewMail {
  return {
    id: timedId(),
    kind: mail.kind,
    to: mail.to,
    replyTo: mail.replyTo ?? null,
    subject: oneLine(mail.subject),
    body: toBody(mail.content),
    secret: mail.secret ?? false,
    createdAt: now().toISOString(),
    dueAt: new Date(now().getTime() + (mail.waitMs ?? 0)).toISOString(),
  };
}

/**
 * Takes a mail out of the outbox, within the transaction that ends its reason; also one that was given up, so that nobody
 * sends it again. False where it has left, or is leaving at this moment.
 */
export async function withdrawMail(trx: Trx, { now }: Pick<Deps, "now">, id: string): Promise<boolean> {
  if (await deleteUnsentMail(trx, { id, at: now().toISOString() })) return true;
  return (await findMail(trx, id)) === undefined;
}

/** Writes the same mail once more, as a mail of its own: a mail server takes a repeat for one that it has already. */
export async function queueCopy(trx: Trx, { now }: Pick<Deps, "now">, mail: StoredMail): Promise<void> {
  await insertMails(trx, [
    { ...mail, id: timedId(), createdAt: now().toISOString(), dueAt: now().toISOString() },
  ]);
}
