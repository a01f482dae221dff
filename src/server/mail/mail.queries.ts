import { sql, type Updateable } from "kysely";
import type { Db } from "#db/database.ts";
import { type Placeholders, PreparedInsert } from "#db/prepared.ts";
import type { OutboxTable } from "#db/schema.ts";
import { contains, isUnleased, skipLockedRows } from "#db/sql.ts";
import { afterCommit, type Trx } from "#db/transaction.ts";
import { type MailListInput, type MailState, SHORT_LIVED_MAILS, WORK_MAILS } from "#shared/schemas/mails.ts";
import {
  findLastScanned,
  isAfterCursor,
  isUpToCursor,
  PAGE_QUERY_ROWS,
  type ScannedRows,
} from "../lib/paging.ts";

/** A mail in the outbox. */
export interface StoredMail {
  id: string;
  /** The purpose of the mail, for example `order-shop`. */
  kind: string;
  to: string;
  replyTo: string | null;
  subject: string;
  /** JSON of a MailContent, a tenth of the size of the rendered parts; null once erased. */
  content: string | null;
  /** Whether it holds a code or a link that opens an account. */
  secret: boolean;
  /** How often a worker has claimed it. */
  attempts: number;
  createdAt: string;
  sentAt: string | null;
  failedAt: string | null;
}

/** A mail that a worker has claimed. If another one has claimed it since, its lease ends at another time. */
export interface ClaimedMail extends StoredMail {
  leasedUntil: string;
}
type Claim = Pick<ClaimedMail, "id" | "leasedUntil">;

const COLUMNS = [
  "id",
  "kind",
  "recipient",
  "reply_to",
  "subject",
  "content",
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

/** A mail that no worker has claimed yet, with the time when it is due and its priority. */
export type NewMail = Omit<StoredMail, "attempts" | "sentAt" | "failedAt"> & {
  dueAt: string;
  priority: number;
};

export async function insertMails(trx: Trx, mails: NewMail[]): Promise<void> {
  await newMails.rows(trx, mails.map(toNewRow));
  afterCommit(trx, "sendMails");
}

function toNewRow(mail: NewMail): NewMailRow {
  return {
    id: mail.id,
    kind: mail.kind,
    recipient: mail.to,
    reply_to: mail.replyTo,
    subject: mail.subject,
    content: mail.content,
    secret: mail.secret ? 1 : 0,
    priority: mail.priority,
    attempts: 0,
    due_at: mail.dueAt,
    created_at: mail.createdAt,
  };
}

/**
 * Claims up to `limit` due mails until `leaseUntil`, by priority and then those waiting longest first. Concurrent claims skip
 * each other's rows instead of waiting.
 */
export async function claimDueMails(
  db: Db,
  claim: { now: string; leaseUntil: string; limit: number },
): Promise<ClaimedMail[]> {
  const due = db
    .selectFrom("outbox")
    .select("id")
    .where("sent_at", "is", null)
    .where("failed_at", "is", null)
    .where("due_at", "<=", claim.now)
    .where(isUnleased(claim.now))
    .orderBy("priority")
    .orderBy("due_at")
    .limit(claim.limit);
  const rows = await db
    .with("due", () => skipLockedRows(db, due))
    .updateTable("outbox")
    .set((eb) => ({ leased_until: claim.leaseUntil, attempts: eb("attempts", "+", 1) }))
    .where("id", "in", (eb) => eb.selectFrom("due").select("due.id"))
    .returning(COLUMNS)
    .execute();
  return rows.map((row) => ({ ...toStoredMail(row), leasedUntil: claim.leaseUntil }));
}

/** Deletes a mail that was not sent and that no worker has claimed; false for any other. */
export async function deleteUnsentMail(trx: Trx, { id, at }: { id: string; at: string }): Promise<boolean> {
  const deleted = await trx
    .deleteFrom("outbox")
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .where(isUnleased(at))
    .returning("id")
    .executeTakeFirst();
  return deleted !== undefined;
}

/** Whether a newer mail of this kind goes to the same address, sent or not. */
export async function isReplaced(
  db: Db,
  mail: Pick<StoredMail, "to" | "kind" | "createdAt">,
): Promise<boolean> {
  const newer = await db
    .selectFrom("outbox")
    .select("id")
    .where("recipient", "=", mail.to)
    .where("kind", "=", mail.kind)
    .where("created_at", ">", mail.createdAt)
    .limit(1)
    .executeTakeFirst();
  return newer !== undefined;
}

/** Releases every claimed mail. Only for the start of the only server, whose earlier process has died. */
export async function releaseMailLeases(db: Db): Promise<void> {
  await db
    .updateTable("outbox")
    .set({ leased_until: null })
    .where("sent_at", "is", null)
    .where("leased_until", "is not", null)
    .execute();
}

/** Records that a mail was sent, whoever has claimed it now: sent is sent. */
export async function markSent(
  db: Db,
  id: string,
  { now, erase }: { now: string; erase: boolean },
): Promise<void> {
  await db
    .updateTable("outbox")
    .set({
      sent_at: now,
      leased_until: null,
      failed_at: null,
      last_error: null,
      ...(erase && { content: null }),
    })
    .where("id", "=", id)
    .execute();
}

/** Postpones a mail until `dueAt`, unless another worker has claimed it since. */
export async function scheduleRetry(
  db: Db,
  claim: Claim,
  retry: { dueAt: string; error: string },
): Promise<void> {
  await updateClaimed(db, claim, { due_at: retry.dueAt, leased_until: null, last_error: retry.error });
}

/** Marks a mail as failed, unless another worker has claimed it since. The row stays. */
export async function markFailed(
  db: Db,
  claim: Claim,
  failure: { now: string; error: string; erase: boolean },
): Promise<void> {
  await updateClaimed(db, claim, {
    failed_at: failure.now,
    leased_until: null,
    last_error: failure.error,
    ...(failure.erase && { content: null }),
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

async function updateClaimed(db: Db, claim: Claim, changes: Updateable<OutboxTable>): Promise<void> {
  await db
    .updateTable("outbox")
    .set(changes)
    .where("id", "=", claim.id)
    .where("leased_until", "=", claim.leasedUntil)
    .execute();
}

function toStoredMail(row: MailRow): StoredMail {
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    replyTo: row.reply_to,
    subject: row.subject,
    content: row.content,
    secret: row.secret === 1,
    attempts: row.attempts,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    failedAt: row.failed_at,
  };
}

/** A mail in a list, without its body. */
export interface ListedMail {
  id: string;
  kind: string;
  to: string;
  subject: string;
  state: MailState;
  attempts: number;
  lastError: string | null;
  createdAt: string;
  sentAt: string | null;
}

const LISTED_COLUMNS = [
  "id",
  "kind",
  "recipient",
  "subject",
  "attempts",
  "last_error",
  "created_at",
  "sent_at",
  "failed_at",
] as const;

/**
 * Mails in this state, or in any, to addresses that contain `search`; newest first, starting after a given mail: one
 * more than a page shows. Searching stops after as many rows as one search may read.
 */
export async function findListedMails(
  db: Db,
  { state, search, cursor }: MailListInput,
): Promise<ScannedRows<ListedMail>> {
  let query = db.selectFrom("outbox").orderBy("created_at", "desc").orderBy("id", "desc");
  if (state) query = query.where("sent_at", state === "sent" ? "is not" : "is", null);
  if (state === "failed") query = query.where("failed_at", "is not", null);
  if (state === "waiting") query = query.where("failed_at", "is", null);
  if (cursor) query = query.where(isAfterCursor("outbox", cursor));
  const places = query.select(["created_at as createdAt", "id"]);
  const stop = search ? await findLastScanned(places) : undefined;
  if (stop) query = query.where(isUpToCursor(stop));
  if (search) query = query.where(contains("recipient", search.toLowerCase()));
  const rows = await query.select(LISTED_COLUMNS).limit(PAGE_QUERY_ROWS).execute();
  return { rows: rows.map(toListedMail), stoppedAt: stop ?? null };
}

function toListedMail(row: Pick<OutboxTable, (typeof LISTED_COLUMNS)[number]>): ListedMail {
  return {
    id: row.id,
    kind: row.kind,
    to: row.recipient,
    subject: row.subject,
    state: row.sent_at ? "sent" : row.failed_at ? "failed" : "waiting",
    attempts: row.attempts,
    lastError: row.last_error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}

export async function countUnsent(db: Db): Promise<{ waiting: number; failed: number }> {
  const row = await db
    .selectFrom("outbox")
    .select(({ fn }) => [fn.countAll<number>().as("unsent"), fn.count<number>("failed_at").as("failed")])
    .where("sent_at", "is", null)
    .executeTakeFirstOrThrow();
  return { waiting: row.unsent - row.failed, failed: row.failed };
}

/** Queues a failed mail again; false when it is no longer failed. */
export async function retryFailedMail(trx: Trx, id: string, now: string): Promise<boolean> {
  const row = await trx
    .updateTable("outbox")
    .set({ failed_at: null, attempts: 0, due_at: now })
    .where("id", "=", id)
    .where("failed_at", "is not", null)
    .returning("id")
    .executeTakeFirst();
  afterCommit(trx, "sendMails");
  return row !== undefined;
}

interface AddressedMail {
  kind: string;
  subject: string;
  writtenAt: string;
  sentAt: string | null;
  /** Whether it holds a code or a link that opens an account. */
  secret: boolean;
  /** As in StoredMail. */
  content: string | null;
}

/** Mails to the owner of this address, newest first. */
export async function findMailsTo(db: Db, email: string): Promise<AddressedMail[]> {
  const rows = await db
    .selectFrom("outbox")
    .select(["kind", "subject", "created_at as writtenAt", "sent_at as sentAt", "secret", "content"])
    .where("recipient", "=", email)
    .where("kind", "not in", WORK_MAILS)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map((mail) => ({ ...mail, secret: mail.secret === 1 }));
}

/** Deletes the mails to and about the owner of this address, sent or not. */
export async function deleteMailsAbout(trx: Trx, email: string): Promise<void> {
  await trx
    .deleteFrom("outbox")
    .where(({ eb, and, or }) =>
      or([
        and([eb("recipient", "=", email), eb("kind", "not in", WORK_MAILS)]),
        and([eb("reply_to", "=", email), eb("kind", "in", WORK_MAILS)]),
      ]),
    )
    .execute();
}

/** Redirects the mails to and about the owner of `from`, sent or not. */
export async function updateMailAddress(trx: Trx, { from, to }: { from: string; to: string }): Promise<void> {
  await trx
    .updateTable("outbox")
    .set({ recipient: to })
    .where("recipient", "=", from)
    .where("kind", "not in", WORK_MAILS)
    .execute();
  await trx
    .updateTable("outbox")
    .set({ reply_to: to })
    .where("reply_to", "=", from)
    .where("kind", "in", WORK_MAILS)
    .execute();
}

/** Deletes short-lived mails written before `before` that were sent or have failed. */
export async function deleteShortLivedBefore(db: Db, before: string): Promise<void> {
  await db
    .deleteFrom("outbox")
    // Must match the condition of the partial index word for word; with a bound value no database would use the index.
    .where(
      "kind",
      "in",
      SHORT_LIVED_MAILS.map((kind) => sql.lit(kind)),
    )
    .where("created_at", "<", before)
    .where((eb) => eb.or([eb("sent_at", "is not", null), eb("failed_at", "is not", null)]))
    .execute();
}
