import type { Db } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { MailListInput } from "#shared/schemas/mails.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context, Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { uuidv7 } from "../lib/crypto.ts";
import { LOOKED_FOR, toPage } from "../lib/paging.ts";
import { type MailContent, oneLine } from "./blocks.ts";
import {
  countUnsent,
  deleteMailsAbout,
  deleteSentAccountDeletedMails,
  deleteUnsentMail,
  findListedMails,
  findMail,
  findMailsTo,
  insertMails,
  type ListedMail,
  type NewMail,
  retryFailedMail,
  type StoredMail,
} from "./mail.queries.ts";
import { isErased, shownPartsOf, textOf, toBody } from "./rendering.ts";

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
 * Writes a mail to the outbox within the caller's transaction, so that it exists exactly when what caused it does, and is
 * sent after the commit. Gives the mail's id.
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
    id: uuidv7(),
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
async function queueCopy(trx: Trx, { now }: Pick<Deps, "now">, mail: StoredMail): Promise<void> {
  await insertMails(trx, [
    { ...mail, id: uuidv7(), createdAt: now().toISOString(), dueAt: now().toISOString() },
  ]);
}

export async function listOutbox(
  ctx: Context<Admin>,
  { state, search, cursor }: MailListInput,
): Promise<ListPage<ListedMail>> {
  const filter = { state, search: search.toLowerCase() };
  const range = { after: cursor ?? undefined, limit: LOOKED_FOR };
  const { rows, stoppedAt } = await findListedMails(ctx.readDb, filter, range);
  return toPage(rows, stoppedAt);
}

/** How many mails wait and failed, and whether the store sends mails at all or keeps them. */
export async function outboxFacts(ctx: Context<Admin>) {
  return { ...(await countUnsent(ctx.readDb)), delivers: delivers(ctx) };
}

const WITHHELD = { text: null, html: null };

/** One mail. What opens an account (`secret`) is shown only where mails are kept in the store to be read there. */
export async function readMail(ctx: Context<Admin>, { id }: { id: string }) {
  const mail = await findMail(ctx.readDb, id);
  if (!mail) throw notFound();
  const { secret, body, ...facts } = mail;
  const parts = secret && delivers(ctx) ? WITHHELD : await shownPartsOf(body);
  return { ...facts, ...parts, resendable: !isErased(body) };
}

/** Sends a failed mail again, or a copy of one that was sent: a mail server takes the same mail for a repeat. */
export async function resendMail(ctx: Context<Admin>, { id }: { id: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeResend(trx, ctx, id));
}

async function storeResend(trx: Trx, ctx: Context<Admin>, id: string): Promise<void> {
  const mail = await findMail(trx, id);
  if (!mail) throw notFound();
  if (isErased(mail.body)) {
    throw new AppError("CONFLICT", "Its code or link is not kept. Please have the person ask for a new one");
  }
  if (mail.sentAt) await queueCopy(trx, ctx, mail);
  else if (!(await retryFailedMail(trx, id, ctx.now().toISOString()))) {
    throw new AppError("CONFLICT", "This mail is on its way already");
  }
  await recordAudit(trx, ctx, {
    action: "mail.resend",
    subject: { id, name: mail.subject },
    after: { to: mail.to, kind: mail.kind },
  });
}

function delivers({ config }: Pick<Deps, "config">): boolean {
  return config.smtpUrl !== null;
}

function notFound(): AppError {
  return new AppError("NOT_FOUND", "This mail was not found");
}

const LAST_MAIL_KEPT_MS = 24 * 60 * 60 * 1000;

interface ReceivedMail {
  kind: string;
  subject: string;
  writtenAt: string;
  sentAt: string | null;
  /** Null for a mail with a code or a link that opens an account. */
  text: string | null;
}

/** The mails to this address, without what opens an account. */
export async function exportMails(db: Db, email: string): Promise<ReceivedMail[]> {
  const mails = await findMailsTo(db, email);
  return mails.map(({ secret, body, ...mail }) => ({ ...mail, text: secret ? null : textOf(body) }));
}

/** Forgets the mails to this address, and those to shops and admins about whoever has it. */
export function forgetMails(trx: Trx, email: string): Promise<void> {
  return deleteMailsAbout(trx, email);
}

/** Deletes the last mails to deleted accounts of the day before, which name the address of somebody who wanted to be forgotten. */
export async function deleteOldAccountDeletedMails({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - LAST_MAIL_KEPT_MS);
  await deleteSentAccountDeletedMails(db, before.toISOString());
}
