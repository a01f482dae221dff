import type { Db } from "#db/database.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import type { MailListInput, SHORT_LIVED_MAILS, WORK_MAILS } from "#shared/schemas/mails.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context, Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { uuidv7 } from "../lib/crypto.ts";
import { toPage } from "../lib/paging.ts";
import { type MailContent, oneLine } from "./blocks.ts";
import {
  countUnsent,
  deleteMailsAbout,
  deleteShortLivedBefore,
  deleteUnsentMail,
  findListedMails,
  findMail,
  findMailsTo,
  insertMails,
  type ListedMail,
  type NewMail,
  retryFailedMail,
  type StoredMail,
  updateMailAddress,
} from "./mail.queries.ts";
import { toPageParts, toText } from "./rendering.ts";

/**
 * The purpose of a mail, for logs and the mailbox. One to a shop or the store about a person belongs to WORK_MAILS, or it counts as
 * its reader's own. An example of each kind is checked in `tests/unit/mails.test.ts`.
 */
export type MailKind =
  | `account-${"email-changed" | "password-changed" | "second-factor"}`
  | (typeof SHORT_LIVED_MAILS)[number]
  | (typeof WORK_MAILS)[number]
  | `order-${"student" | "ready" | "not-ready" | "dispatched" | "delivered" | "cancelled" | "held" | "changed"}`
  | `reprint-${"accepted" | "declined"}`
  | "payment-address"
  | "staff-invitation";

export interface Mail {
  kind: MailKind;
  to: string;
  replyTo?: string;
  /** Must hold no secret: it is stored, and phones show it on the lock screen. */
  subject: string;
  content: MailContent;
  /** Holds a code or a link that opens an account: its body is erased once SMTP has sent it. */
  secret?: boolean;
  /** Replaces the one that MAIL_PRIORITIES has for it; at least `signUp`. */
  priority?: number | undefined;
  /** How long it waits before it is sent, in ms; until then it can be withdrawn. */
  waitMs?: number;
}

/**
 * Due mails with a lower number are sent first: codes and links that open an account, because they soon stop working, then all
 * others, then those to sign-ups that nobody has verified.
 */
export const MAIL_PRIORITIES = { secret: 0, other: 1, signUp: 2 };

function priorityOf({ secret }: Pick<Mail, "secret">): number {
  return secret ? MAIL_PRIORITIES.secret : MAIL_PRIORITIES.other;
}

/** A mail whose title is its subject. */
export function plainMail({
  blocks,
  footer,
  ...mail
}: Omit<Mail, "content"> & Omit<MailContent, "title">): Mail {
  return { ...mail, content: { title: mail.subject, blocks, footer } };
}

/**
 * Writes a mail to the outbox in the caller's transaction and returns its id. Both commit or neither does; the mail is sent
 * after the commit.
 */
export async function queueMail(trx: Trx, deps: Pick<Deps, "now">, mail: Mail): Promise<string> {
  const queued = toNewMail(deps, mail);
  await insertMails(trx, [queued]);
  return queued.id;
}

/** Writes several mails to the outbox. */
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
    content: JSON.stringify(mail.content),
    secret: mail.secret ?? false,
    priority: mail.priority ?? priorityOf(mail),
    createdAt: now().toISOString(),
    dueAt: new Date(now().getTime() + (mail.waitMs ?? 0)).toISOString(),
  };
}

/**
 * Deletes a mail from the outbox in the transaction that makes it pointless, including a failed one, so that nobody
 * resends it. Returns false when it was sent or is being sent.
 */
export async function withdrawMail(trx: Trx, { now }: Pick<Deps, "now">, id: string): Promise<boolean> {
  if (await deleteUnsentMail(trx, { id, at: now().toISOString() })) return true;
  return (await findMail(trx, id)) === undefined;
}

/** Queues the mail again under a new id: a mail server would drop the same id as a duplicate. */
async function queueCopy(trx: Trx, { now }: Pick<Deps, "now">, mail: StoredMail): Promise<void> {
  const at = now().toISOString();
  await insertMails(trx, [{ ...mail, id: uuidv7(), priority: priorityOf(mail), createdAt: at, dueAt: at }]);
}

export async function listOutbox(ctx: Context<Admin>, input: MailListInput): Promise<ListPage<ListedMail>> {
  const { rows, stoppedAt } = await findListedMails(ctx.readDb, input);
  return toPage(rows, stoppedAt);
}

/** The number of pending and failed mails, and whether the store sends mails or keeps them. */
export async function outboxStats(deps: Pick<Deps, "readDb" | "config">) {
  return { ...(await countUnsent(deps.readDb)), delivers: delivers(deps) };
}

const SECRET_NOT_KEPT = { text: null, html: null };

/** One mail. The body of a `secret` one is shown only when the store keeps mails for reading. */
export async function readMail(ctx: Context<Admin>, { id }: { id: string }) {
  const mail = await findMail(ctx.readDb, id);
  if (!mail) throw notFound();
  const { secret, content, ...facts } = mail;
  const parts = secret && delivers(ctx) ? SECRET_NOT_KEPT : await toPageParts(content);
  return { ...facts, ...parts, resendable: content !== null };
}

/** Resends a failed mail, or sends a copy of a sent one. */
export async function resendMail(ctx: Context<Admin>, { id }: { id: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeResend(trx, ctx, id));
}

async function storeResend(trx: Trx, ctx: Context<Admin>, id: string): Promise<void> {
  const mail = await findMail(trx, id);
  if (!mail) throw notFound();
  if (mail.content === null) {
    throw new AppError(
      "CONFLICT",
      "The code or link in this email is not kept. Please have the person ask for a new one",
    );
  }
  if (mail.sentAt) await queueCopy(trx, ctx, mail);
  else if (!(await retryFailedMail(trx, id, ctx.now().toISOString()))) {
    throw new AppError("CONFLICT", "This email is already on its way");
  }
  await recordAudit(trx, ctx, {
    action: "mail.resend",
    // The subject of a message to the store is its sender's own words, which no deletion of theirs would reach here.
    subject: { id, name: mail.kind === "contact" ? "A message to the store" : mail.subject },
    after: { to: mail.to, kind: mail.kind },
  });
}

function delivers({ config }: Pick<Deps, "config">): boolean {
  return config.smtpUrl !== null;
}

function notFound(): AppError {
  return new AppError("NOT_FOUND", "This email was not found");
}

const SHORT_LIVED_MS = DAY_MS;

interface ReceivedMail {
  kind: string;
  subject: string;
  writtenAt: string;
  sentAt: string | null;
  /** Null for a mail with a code or a link that opens an account. */
  text: string | null;
}

/** The mails to the owner of this address; texts of secret ones are left out. */
export async function exportMails(db: Db, email: string): Promise<ReceivedMail[]> {
  const mails = await findMailsTo(db, email);
  return mails.map(({ secret, content, ...mail }) => ({ ...mail, text: secret ? null : toText(content) }));
}

/** Gives the mails to and about the owner of `from` the new address, so that they stay part of their owner's data. */
export function moveMails(trx: Trx, addresses: { from: string; to: string }): Promise<void> {
  return updateMailAddress(trx, addresses);
}

/** Deletes the mails to the owner of this address, and those to shops and admins that are about them. */
export function deletePersonalMails(trx: Trx, email: string): Promise<void> {
  return deleteMailsAbout(trx, email);
}

/** Deletes mails whose code, link or account no longer exists a day later. */
export async function deleteShortLivedMails({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - SHORT_LIVED_MS);
  await deleteShortLivedBefore(db, before.toISOString());
}
