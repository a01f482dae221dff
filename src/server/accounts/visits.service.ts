import { randomUUID } from "node:crypto";
import type { Db } from "#db/database.ts";
import type { VisitTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { HOUR_MS } from "#shared/durations.ts";
import { VISIT_HOURS } from "#shared/visits.ts";
import type { Context, Deps, StaffMember, Visitor } from "../context.ts";
import { AppError } from "../errors.ts";
import { networkOf } from "../http/rate-limit.ts";
import { newToken, sha256 } from "../lib/crypto.ts";
import {
  deleteVisit,
  endVisit,
  findDueVisits,
  findEmptyVisits,
  findVisit,
  insertVisit,
  isVisitKnown,
  lockUploader,
  updateVisitorName,
} from "./visits.queries.ts";

/** What staff see instead of the name before a visitor gives one, and once the visit is over. */
const NAMELESS = "Visitor";

const VISIT_MS = VISIT_HOURS * HOUR_MS;

/** Visits by token; only its SHA-256 is stored. */
export interface VisitStore {
  /** A visit that has not ended, or null. Using it does not make it longer. */
  resolve(token: string): Promise<Visitor | null>;
}

export function createVisitStore(readDb: Db, now: () => Date): VisitStore {
  return {
    async resolve(token) {
      const found = await findVisit(readDb, sha256(token));
      if (!found || found.expires_at <= now().toISOString()) return null;
      return toVisitor(found, found.full_name === NAMELESS ? "" : found.full_name);
    },
  };
}

function toVisitor(visit: Omit<VisitTable, "opened_at" | "ended_at">, fullName: string): Visitor {
  const { id, user_id, shop_id: shopId, code, address_hash: addressHash, expires_at: endsAt } = visit;
  return {
    kind: "visitor",
    user: { _id: user_id, fullName, email: "", phone: "", role: "visitor" },
    visit: { id, shopId, code, addressHash, endsAt },
  };
}

/** Opens a visit and gives its token, which only the cookie keeps. */
export async function createVisit(
  trx: Trx,
  ctx: Pick<Context, "now" | "keyring" | "address">,
  { shopId, code }: { shopId: string; code: string },
): Promise<{ token: string; expiresAt: Date }> {
  const token = newToken();
  const visit = newVisit(ctx, { id: sha256(token), shopId, code });
  await insertVisit(trx, { visit, fullName: NAMELESS });
  return { token, expiresAt: new Date(visit.expires_at) };
}

function newVisit(
  { now, keyring, address }: Pick<Context, "now" | "keyring" | "address">,
  { id, shopId, code }: { id: string; shopId: string; code: string },
): VisitTable {
  const openedAt = now();
  return {
    id,
    user_id: randomUUID(),
    shop_id: shopId,
    code,
    address_hash: keyring.mac("counter", `address ${networkOf(address)}`),
    opened_at: openedAt.toISOString(),
    expires_at: new Date(openedAt.getTime() + VISIT_MS).toISOString(),
    ended_at: null,
  };
}

/** The code of visits that staff open, which no visitor can enter. */
const BY_STAFF = "staff";
const WALK_IN_IS_OVER =
  "This order was entered before, and its two hours at the counter are over. Please start a new one";

/**
 * The visit of somebody at the counter whose order a clerk enters; the same idempotency key finds it again. It has no token, so
 * that nobody can log in to it, and ends like any other; a key that is sent again after that throws CONFLICT.
 */
export async function walkInVisit(
  trx: Trx,
  ctx: Pick<Context<StaffMember>, "now" | "keyring" | "address" | "actor">,
  { shopId, key, fullName }: { shopId: string; key: string; fullName: string },
): Promise<{ visitor: Visitor; isNew: boolean }> {
  const id = ctx.keyring.mac("counter", `press ${ctx.actor.user._id} ${shopId} ${key}`);
  const earlier = await findVisit(trx, id);
  if (earlier) return { isNew: false, visitor: toVisitor(earlier, earlier.full_name) };
  if (await isVisitKnown(trx, id)) throw new AppError("CONFLICT", WALK_IN_IS_OVER);
  const visit = newVisit(ctx, { id, shopId, code: BY_STAFF });
  await insertVisit(trx, { visit, fullName });
  return { isNew: true, visitor: toVisitor(visit, fullName) };
}

/**
 * Locks the account or visit until the transaction ends, so that it cannot be deleted meanwhile. Throws UNAUTHENTICATED when
 * it is already deleted.
 */
export async function requireUploader(trx: Trx, userId: string): Promise<void> {
  if (!(await lockUploader(trx, userId)))
    throw new AppError("UNAUTHENTICATED", "This account was deleted, or the visit is over");
}

/** Gives a visitor another name, also in the orders that staff search by it. */
export async function renameVisitor(
  trx: Trx,
  { actor, onProfileChange }: Context<Visitor>,
  fullName: string,
): Promise<Visitor> {
  const user = { ...actor.user, fullName };
  if (actor.user.fullName !== fullName) {
    await updateVisitorName(trx, user._id, fullName);
    await onProfileChange(trx, user);
  }
  return { ...actor, user };
}

/** User ids of the visits whose time is over. */
export function listDueVisits({ readDb, now }: Pick<Deps, "readDb" | "now">): Promise<string[]> {
  return findDueVisits(readDb, now().toISOString());
}

/** Ends a visit once, with its name; false if it was ended before. */
export function closeVisit(trx: Trx, { userId, at }: { userId: string; at: string }): Promise<boolean> {
  return endVisit(trx, { userId, fullName: NAMELESS, at });
}

/** Deletes the rows of ended visits whose files are erased. A visitor with orders stays, as a deleted account does. */
export async function deleteEndedVisits({ db, readDb }: Pick<Deps, "db" | "readDb">): Promise<void> {
  for (const userId of await findEmptyVisits(readDb)) await transact(db, (trx) => deleteVisit(trx, userId));
}
