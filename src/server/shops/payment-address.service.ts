import { randomBytes } from "node:crypto";
import type { Db } from "#db/open.ts";
import { lockRow } from "#db/row-locks.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { indianTime } from "#shared/indian-time.ts";
import { endSessions } from "../accounts/admin.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, SignedIn, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { sameHash, sha256, uuidv7 } from "../lib/crypto.ts";
import { queueMails } from "../mail/mail.service.ts";
import { changedAddressMail, maskUpiId, restoredAddressMail } from "./payment-address.mails.ts";
import {
  endLinks,
  findChange,
  findConcerned,
  findNewestChange,
  insertChange,
  restoreAddress,
} from "./payment-address.queries.ts";

/** How long a change of a payment address can be undone by the link that is mailed of it. */
const UNDO_HOURS = 24;
const UNDO_MS = UNDO_HOURS * 60 * 60 * 1000;
/** So long it is known who put an address in: once they have left, no link of theirs brings that one back. */
const KEPT_MS = 30 * UNDO_MS;

interface AddressChange {
  shop: { id: string; name: string };
  from: string;
  to: string;
}

/**
 * Tells a shop's owners and all admins, also those of the last 24 hours, that students pay to another UPI id from now on,
 * each with a link of their own that brings back the last address that stood for 24 hours. Who puts that one in by hand has
 * undone the changes since: their links end, and none leads forth again. Throws RATE_LIMITED. Within the transaction of the
 * change, which holds the shop.
 */
export async function tellOfNewAddress(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shop, from, to }: AddressChange,
): Promise<void> {
  const at = ctx.now();
  const { user } = ctx.actor;
  const newest = await findNewestChange(trx, { shopId: shop.id, since: undoableSince(ctx) });
  const standing = newest?.standing_upi_id ?? from;
  if (newest && to === standing) {
    const { people } = await endLinks(trx, { shopId: shop.id, since: undoableSince(ctx) });
    const loggedOut = people.filter(({ id }) => id !== user._id);
    await finishUndo(trx, ctx, { shop, upiId: standing, by: user.fullName, loggedOut });
    return;
  }
  await countChange(trx, ctx, shop.id);
  const token = randomBytes(32).toString("base64url");
  const change = {
    id: uuidv7(),
    shop_id: shop.id,
    old_upi_id: from,
    new_upi_id: to,
    standing_upi_id: standing,
    changed_by: user._id,
    changed_at: at.toISOString(),
    token_hash: sha256(token),
  };
  await insertChange(trx, change, new Date(at.getTime() - KEPT_MS).toISOString());
  const facts = {
    shopName: shop.name,
    from,
    to,
    by: `${user.fullName}, ${user.email}`,
    at: indianTime(at.toISOString()),
    until: indianTime(new Date(at.getTime() + UNDO_MS).toISOString()),
  };
  const concerned = await findConcerned(trx, concernedBy(ctx, shop.id, standing));
  await queueMails(
    trx,
    ctx,
    concerned.map(({ id, email }) =>
      changedAddressMail(email, {
        ...facts,
        url: `${ctx.publicUrl()}/payment-address?token=${linkToken(ctx, token, id)}`,
      }),
    ),
  );
}

/** Each change mails everybody: who changes an address to and fro would hold up all other mails. */
async function countChange(trx: Trx, { actor, limits }: Context<StaffMember>, shopId: string): Promise<void> {
  if (await limits.tryUse(trx, ["upiChangeShop", shopId, actor.user._id])) return;
  const message = "You have changed this payment address too often today. Please try again tomorrow";
  throw new AppError("RATE_LIMITED", message, { limit: "upiChangeShop", retryAfterSeconds: UNDO_MS / 1000 });
}

/** What a link holds: the change's token, for whom it was mailed, and the proof of that. */
function linkToken({ keyring }: Pick<Context, "keyring">, token: string, userId: string): string {
  return `${token}.${userId}.${keyring.mac("undo-link", `${token}.${userId}`)}`;
}

/**
 * The change that a link undoes, and whose link it is. Throws NOT_FOUND once it was used, its time is over, or its holder
 * was neither an owner of the shop nor an admin in the day before the change.
 */
async function findUndo(db: Db | Trx, ctx: Context, link: string) {
  const [token = "", userId = ""] = link.split(".");
  if (!sameHash(link, linkToken(ctx, token, userId))) throw deadLink();
  const change = await findChange(db, sha256(token), undoableSince(ctx));
  if (!change) throw deadLink();
  const { shop_id, standing_upi_id } = change;
  const changedAt = new Date(change.changed_at);
  const concerned = await findConcerned(db, concernedBy({ now: () => changedAt }, shop_id, standing_upi_id));
  const holder = concerned.find(({ id }) => id === userId);
  if (!holder) throw deadLink();
  return { change, holder: { id: holder.id, name: holder.full_name } };
}

/** What a link would undo, for who holds it. Throws NOT_FOUND as `undoNewAddress` does. */
export async function readUndo(ctx: Context, link: string) {
  const { change } = await findUndo(ctx.readDb, ctx, link);
  return {
    shopName: change.shop_name,
    from: maskUpiId(change.standing_upi_id),
    /** Whether students paid online before. */
    hadAddress: change.standing_upi_id !== "",
    to: change.new_upi_id,
    by: change.changed_by_name,
    at: indianTime(change.changed_at),
  };
}

/**
 * Brings back the last address that stood for 24 hours, and logs out who changed it since: their session may be in other
 * hands. Works once; all links of the shop end with it, so that links lead back alone and never forth again. Throws
 * NOT_FOUND.
 */
export async function undoNewAddress(
  ctx: Context,
  link: string,
): Promise<{ shopName: string; hadAddress: boolean }> {
  return transact(ctx.db, (trx) => storeUndo(trx, ctx, link));
}

async function storeUndo(
  trx: Trx,
  ctx: Context,
  link: string,
): Promise<{ shopName: string; hadAddress: boolean }> {
  const { change, holder } = await findUndo(trx, ctx, link);
  const shop = { id: change.shop_id, name: change.shop_name };
  const upiId = change.standing_upi_id;
  // Whoever changes the shop at this moment comes before or after, so that the last word is known.
  await lockRow(trx, "shops", shop.id);
  const { ids, people } = await endLinks(trx, { shopId: shop.id, since: undoableSince(ctx) });
  if (!ids.includes(change.id)) throw deadLink();
  const before = await trx
    .selectFrom("shops")
    .select("upi_id")
    .where("id", "=", shop.id)
    .executeTakeFirstOrThrow();
  await restoreAddress(trx, { id: shop.id, upiId, by: holder.name, at: ctx.now().toISOString() });
  await recordAudit(
    trx,
    { now: ctx.now, actor: byLink(holder) },
    {
      action: "shop.undoPayment",
      subject: shop,
      shopId: shop.id,
      before: { upiId: before.upi_id },
      after: { upiId, loggedOut: namesOf(people) },
    },
  );
  await finishUndo(trx, ctx, {
    shop,
    upiId,
    by: `${holder.name}, by the link in our mail,`,
    loggedOut: people,
  });
  return { shopName: shop.name, hadAddress: upiId !== "" };
}

interface Undo {
  shop: { id: string; name: string };
  upiId: string;
  by: string;
  loggedOut: Person[];
}

interface Person {
  id: string;
  name: string;
}

/** Logs out who had made the changes that are undone, and tells all whom it concerns. */
async function finishUndo(trx: Trx, ctx: Context, { shop, upiId, by, loggedOut }: Undo): Promise<void> {
  for (const { id } of loggedOut) await endSessions(trx, id);
  const facts = {
    shopName: shop.name,
    upiId,
    by,
    loggedOut: loggedOut.length > 0 ? namesOf(loggedOut) : null,
  };
  const concerned = await findConcerned(trx, concernedBy(ctx, shop.id, upiId));
  await queueMails(
    trx,
    ctx,
    concerned.map(({ email }) => restoredAddressMail(email, facts)),
  );
}

function namesOf(people: Person[]): string {
  return people.map(({ name }) => name).join(" and ");
}

/** Whom a change at this moment concerns. */
function concernedBy(ctx: Pick<Context, "now">, shopId: string, upiId: string) {
  return { shopId, upiId, leftSince: undoableSince(ctx) };
}

/** The link needs no login: the audit log says whose it was, and that it was the link. */
function byLink({ id, name }: { id: string; name: string }): SignedIn {
  return {
    kind: "user",
    user: { _id: id, fullName: `${name}, by a mailed link`, email: "", phone: "", role: "owner" },
  };
}

function undoableSince({ now }: Pick<Context, "now">): string {
  return new Date(now().getTime() - UNDO_MS).toISOString();
}

function deadLink(): AppError {
  return new AppError(
    "NOT_FOUND",
    `This link was used already, is older than ${UNDO_HOURS} hours, or is no longer yours to use`,
  );
}
