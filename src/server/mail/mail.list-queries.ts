import { contains } from "#db/contains.ts";
import type { Db } from "#db/open.ts";
import type { OutboxTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { MailState } from "#shared/schemas/mails.ts";
import type { ListPlace } from "#shared/schemas/paging.ts";
import { type FoundRows, isBehind, isUpTo, lastLookedAt } from "../search-window.ts";

/** A mail of the outbox, as lists show it. */
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

const COLUMNS = [
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
 * Mails in this state, or all, to addresses with `search` in them; the newest first, from a mail of the list on, and so far
 * as a search looks at once.
 */
export async function findListedMails(
  db: Db,
  filter: { state: MailState | undefined; search: string },
  range: { after: ListPlace | undefined; limit: number },
): Promise<FoundRows<ListedMail>> {
  let query = db.selectFrom("outbox").orderBy("created_at", "desc").orderBy("id", "desc");
  if (filter.state) query = query.where("sent_at", filter.state === "sent" ? "is not" : "is", null);
  if (filter.state === "failed") query = query.where("failed_at", "is not", null);
  if (filter.state === "waiting") query = query.where("failed_at", "is", null);
  const { after } = range;
  if (after) query = query.where(isBehind(after));
  const places = query.select(["created_at as createdAt", "id"]);
  const stop = filter.search ? await lastLookedAt(places) : undefined;
  if (stop) query = query.where(isUpTo(stop));
  if (filter.search) query = query.where(contains("recipient", filter.search));
  const rows = await query.select(COLUMNS).limit(range.limit).execute();
  return { rows: rows.map(toListedMail), stoppedAt: stop ?? null };
}

function toListedMail(row: Pick<OutboxTable, (typeof COLUMNS)[number]>): ListedMail {
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

/** Puts a mail that was given up back into the queue; false when it is not given up any more. */
export async function retryFailedMail(trx: Trx, id: string, now: string): Promise<boolean> {
  const row = await trx
    .updateTable("outbox")
    .set({ failed_at: null, attempts: 0, due_at: now })
    .where("id", "=", id)
    .where("failed_at", "is not", null)
    .where("sent_at", "is", null)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
