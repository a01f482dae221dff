import { isDeepStrictEqual } from "node:util";
import type { Trx } from "#db/transaction.ts";
import { AUDIT_ACTIONS, type AuditAction } from "#shared/audit-actions.ts";
import { foldText } from "#shared/fold-text.ts";
import type { AuditListInput } from "#shared/schemas/audit.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { type Context, chosenShops, type Deps, type SignedIn, type StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { uuidv7 } from "../lib/crypto.ts";
import { toPage } from "../lib/paging.ts";
import { type AuditLine, findAuditLines, findLastActorName, insertAuditEntry } from "./audit.queries.ts";

type Fields = Record<string, unknown>;

export interface AuditEntry {
  action: AuditAction;
  /** What was changed, with the name that people know: a shop's name, an order's number. */
  subject: { id: string; name: string };
  /** The shop concerned, whose owners then see the entry; without one only admins do. */
  shopId?: string;
  /**
   * The fields before and after; only those that differ are stored. One side is left out when something was created or
   * deleted.
   */
  before?: Fields;
  after?: Fields;
}

const EMAIL = /([^\s@"]{1,2})[^\s@"]*(@[^\s@"]+)/g;

/**
 * Masks e-mail addresses as `as•••@shop.example`. Audit entries are never deleted, so they outlive the accounts that
 * they mention.
 */
function maskEmails(text: string): string {
  return text.replace(EMAIL, "$1•••$2");
}

/**
 * Entries of these actions contain only what a shop shows to everybody, such as its e-mail. Other entries may contain a
 * person's e-mail, in a name or a reason.
 */
const PUBLIC_ACTIONS = /^(shop|seed|prices|stock|counter)\./;

/** Adds an audit entry in the transaction of the change, so that neither exists without the other. */
export async function recordAudit(
  trx: Trx,
  { actor, now }: Pick<Deps, "now"> & { actor: SignedIn },
  { action, subject, shopId, ...sides }: AuditEntry,
): Promise<void> {
  const { user } = actor;
  const written = PUBLIC_ACTIONS.test(action) ? (text: string) => text : maskEmails;
  const { before, after } = differences(sides);
  const words = [user.fullName, user.email, AUDIT_ACTIONS[action], subject.name].map(maskEmails);
  const searched = [...words, toJson(before, toSearched), toJson(after, toSearched)];
  await insertAuditEntry(trx, {
    id: uuidv7(),
    created_at: now().toISOString(),
    by_user_id: user._id,
    by_name: user.fullName,
    by_email: maskEmails(user.email),
    action,
    subject_id: subject.id,
    subject_name: written(subject.name),
    shop_id: shopId ?? null,
    before: toJson(before, written),
    after: toJson(after, written),
    search_text: foldText(searched.filter((text) => text !== null).join(" ")),
  });
}

/** Both sides, without the fields that are equal. */
function differences({ before, after }: { before?: Fields; after?: Fields }) {
  if (!before || !after) return { before, after };
  const changed = Object.keys({ ...before, ...after }).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return { before: pick(before, changed), after: pick(after, changed) };
}

function pick(fields: Fields, names: string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/**
 * Applies `write` to each text before it becomes JSON, in which a line break is `\n` and would be taken for a part of an
 * e-mail.
 */
function toJson(fields: Fields | undefined, write: (text: string) => string): string | null {
  if (!fields) return null;
  return JSON.stringify(fields, (_name, value) => (typeof value === "string" ? write(value) : value));
}

function toSearched(text: string): string {
  return maskEmails(text).replaceAll(/\s/g, " ");
}

/** A page of the audit log: everything for admins, the entries about their own shops for owners. */
export async function listAudit(
  ctx: Context<StaffMember>,
  { search, shopId, ...filter }: AuditListInput,
): Promise<ListPage<AuditLine>> {
  const shops = chosenShops(ctx, shopId);
  const terms = foldText(maskEmails(search)).split(" ").filter(Boolean);
  const { rows, stoppedAt } = await findAuditLines(ctx.readDb, { ...filter, shops, terms });
  return toPage(rows, stoppedAt);
}

interface Saved<T> {
  saved: T;
  /** Undefined: the changes replace whatever is saved. */
  base: T | undefined;
  /** Action and subject of the audit entry that a save writes. */
  action: AuditAction;
  subjectId: string;
}

/**
 * Throws CONFLICT if what is saved is not what the changes were made on: somebody else has saved in the meantime, who is named
 * if the audit log shows it to the caller. Not needed where the saved values equal the new ones.
 */
export async function requireBase<T>(
  trx: Trx,
  { actor: { shops } }: Context<StaffMember>,
  what: string,
  { saved, base, ...entry }: Saved<T>,
): Promise<void> {
  if (base === undefined || isDeepStrictEqual(saved, base)) return;
  const who = (await findLastActorName(trx, { shops, ...entry })) ?? "Someone else";
  throw new AppError("CONFLICT", `${who} saved ${what} while you were editing them. Please look again`);
}
