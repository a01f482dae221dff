import type { Updateable } from "kysely";
import type { Db } from "#db/open.ts";
import { PreparedInsert } from "#db/prepared-insert.ts";
import type { Placeholders } from "#db/prepared-query.ts";
import { skipLocked } from "#db/row-locks.ts";
import type { OutboxTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/**
 * The body of a mail as the outbox keeps it: what it says, which takes a tenth of the room of its parts. Mails that were
 * queued before that was kept have their parts instead. Everything is empty once a body is erased.
 */
export interface MailBody {
  /** JSON of a MailContent. */
  content: string | null;
  text: string;
  html: string;
  /** JSON of the QR codes that `html` shows. */
  images: string | null;
}

/** A mail as the outbox keeps it. */
export interface StoredMail {
  id: string;
  /** What it is about, such as `order-shop`. */
  kind: string;
  to: string;
  replyTo: string | null;
  subject: string;
  body: MailBody;
  /** It holds a code or a link that opens an account. */
  secret: boolean;
  /** How often a worker took it. */
  attempts: number;
  createdAt: string;
  sentAt: string | null;
  failedAt: string | null;
}

/** One taking of a mail by a worker. When another worker has taken it since, `attempts` differs. */
type Claim = Pick<StoredMail, "id" | "attempts">;

const COLUMNS = [
  "id",
  "kind",
  "recipient",
  "reply_to",
  "subject",
  "content",
  "text_body",
  "html_body",
  "images",
  "secret",
  "attempts",
  "created_at",
  "sent_at",
  "failed_at",
] as const;

type MailRow = Pick<OutboxTable, (typeof COLUMNS)[number]>;

type NewMailRow = Omit<OutboxTable, "leased_until" | "sent_at" | "failed_at" | "last_error">;

const newMails = new PreparedInsert((db, rows: Placeholders<NewMailRow>[]) =>
  db.insertInto("outbox").values(rows),
);

/** A mail that nobody has taken yet, and when it is due. */
export type NewMail = Omit<StoredMail, "attempts" | "sentAt" | "failedAt"> & { dueAt: string };

export async function insertMails(trx: Trx, mails: NewMail[]): Promise<void> {
  await newMails.rows(trx, mails.map(toNewRow));
}

function toNewRow(mail: NewMail): NewMailRow {
  return {
    id: mail.id,
    kind: mail.kind,
    recipient: mail.to,
    reply_to: mail.replyTo,
    subject: mail.subject,
    content: mail.body.content,
    text_body: mail.body.text,
    html_body: mail.body.html,
    images: mail.body.images,
    secret: mail.secret ? 1 : 0,
    attempts: 0,
    due_at: mail.dueAt,
    created_at: mail.createdAt,
  };
}

/**
 * Takes up to `limit` mails that are due, those waiting longest first. Nobody else is given them until
 * `leaseUntil`; of two who ask at the same moment neither waits for the other.
 */
export async function claimDueMails(
  db: Db,
  claim: { now: string; leaseUntil: string; limit: number },
): Promise<StoredMail[]> {
  const due = db
    .selectFrom("outbox")
    .select("id")
    .where("sent_at", "is", null)
    .where("failed_at", "is", null)
    .where("due_at", "<=", claim.now)
    .where((eb) => eb.or([eb("leased_until", "is", null), eb("leased_until", "<=", claim.now)]))
    .orderBy("due_at")
    .limit(claim.limit);
  const rows = await db
    .with("due", () => skipLocked(db, due))
    .updateTable("outbox")
    .set((eb) => ({ leased_until: claim.leaseUntil, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
    .returning(COLUMNS)
    .execute();
  return rows.map(toStoredMail);
}

/** Deletes a mail that was not sent and that no worker has in hand; false for any other. */
export async function deleteUnsentMail(trx: Trx, { id, at }: { id: string; at: string }): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("outbox")
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .where((eb) => eb.or([eb("leased_until", "is", null), eb("leased_until", "<=", at)]))
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Lets every mail go that a worker holds, where no worker of before is left: the server died that had it. */
export async function releaseMails(db: Db): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ leased_until: null })
    .where("sent_at", "is", null)
    .where("leased_until", "is not", null)
    .execute();
}

/** Records that mails were sent, whoever holds them now: sent is sent. */
export async function markSent(
  db: Db,
  ids: string[],
  { now, erase }: { now: string; erase: boolean },
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable("outbox")
    .set({ sent_at: now, leased_until: null, failed_at: null, last_error: null, ...(erase ? ERASED : {}) })
    .where("id", "in", ids)
    .execute();
}

/** Puts a mail back until `dueAt`, unless another worker has taken it since. */
export async function scheduleRetry(
  db: Db,
  claim: Claim,
  retry: { dueAt: string; error: string },
): Promise<void> {
  await updateClaimed(db, claim, { due_at: retry.dueAt, leased_until: null, last_error: retry.error });
}

/** Ends the tries of a mail, unless another worker has taken it since. The row stays. */
export async function markFailed(
  db: Db,
  claim: Claim,
  failure: { now: string; error: string; erase: boolean },
): Promise<void> {
  const erased = failure.erase ? ERASED : {};
  await updateClaimed(db, claim, {
    failed_at: failure.now,
    leased_until: null,
    last_error: failure.error,
    ...erased,
  });
}

/** The newest mails, newest first. */
export async function listMails(db: Db, limit: number): Promise<StoredMail[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(COLUMNS)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.map(toStoredMail);
}

export async function findMail(db: Db | Trx, id: string): Promise<StoredMail | undefined> {
  const row = await db.selectFrom("outbox").select(COLUMNS).where("id", "=", id).executeTakeFirst();
  return row && toStoredMail(row);
}

const ERASED = { content: null, text_body: "", html_body: "", images: null };

async function updateClaimed(db: Db, claim: Claim, changes: Updateable<OutboxTable>): Promise<void> {
  await db
    .updateTable("outbox")
    .set(changes)
    .where("id", "=", claim.id)
    .where("attempts", "=", claim.attempts)
    .where("sent_at", "is", null)
    .execute();
}

function toStoredMail(row: MailRow): StoredMail {
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    replyTo: row.reply_to,
    subject: row.subject,
    body: { content: row.content, text: row.text_body, html: row.html_body, images: row.images },
    secret: row.secret === 1,
    attempts: row.attempts,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    failedAt: row.failed_at,
  };
}
