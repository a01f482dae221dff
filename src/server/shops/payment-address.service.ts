import type { Db } from "#db/database.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { HOUR_MS } from "#shared/durations.ts";
import { indianTime } from "#shared/indian-time.ts";
import { endSessions } from "../accounts/admin.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, SignedIn, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { newToken, sameHash, sha256, uuidv7 } from "../lib/crypto.ts";
import { queueMails } from "../mail/mail.service.ts";
import {
  findChange,
  findNewestChange,
  findRecipients,
  insertChange,
  markUndone,
  restoreAddress,
} from "./payment-address.queries.ts";
import { changedAddressMail, maskUpiId, restoredAddressMail } from "./shops.mails.ts";

/** How long the mailed link can undo a change of the payment address. */
const UNDO_HOURS = 24;
const UNDO_MS = UNDO_HOURS * HOUR_MS;
/** How long changes are kept. Whoever entered an address and has left since must not get a link that restores it. */
const CHANGES_KEPT_MS = 30 * UNDO_MS;

interface AddressChange {
  shop: { id: string; name: string };
  from: string;
  to: string;
}

/**
 * Mails a shop's owners and all admins, including those of the last 24 hours, that the UPI ID has changed. Each gets a
 * personal link that restores the last address that was in place for 24 hours. If the new address is that one, this
 * counts as an undo and all links end. Throws RATE_LIMITED. Runs in the transaction of the change, which has
 * locked the shop.
 */
export async function notifyAddressChange(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shop, from, to }: AddressChange,
): Promise<void> {
  const at = ctx.now();
  const { user } = ctx.actor;
  const newest = await findNewestChange(trx, { shopId: shop.id, since: undoableSince(ctx) });
  const standing = newest?.standing_upi_id ?? from;
  if (newest && to === standing) {
    const people = await markUndone(trx, { shopId: shop.id, since: undoableSince(ctx), by: user._id });
    const loggedOut = people.filter(({ id }) => id !== user._id);
    await finishUndo(trx, ctx, { shop, upiId: standing, by: user.fullName, loggedOut });
    return;
  }
  await limitChanges(trx, ctx, shop.id);
  const token = newToken();
  const change = {
    id: uuidv7(),
    shop_id: shop.id,
    new_upi_id: to,
    standing_upi_id: standing,
    changed_by: user._id,
    changed_at: at.toISOString(),
    token_hash: sha256(token),
    undone_by: null,
  };
  await insertChange(trx, change, new Date(at.getTime() - CHANGES_KEPT_MS).toISOString());
  const data = {
    shopName: shop.name,
    from,
    to,
    by: `${user.fullName}, ${user.email}`,
    at: indianTime(at.toISOString()),
    until: indianTime(new Date(at.getTime() + UNDO_MS).toISOString()),
  };
  const recipients = await findRecipients(trx, recipientFilter(ctx, shop.id, standing));
  await queueMails(
    trx,
    ctx,
    recipients.map(({ id, email }) =>
      changedAddressMail(email, {
        ...data,
        url: `${ctx.publicUrl()}/payment-address?token=${linkToken(ctx, token, id)}`,
      }),
    ),
  );
}

/** Each change mails everybody, so changing the address back and forth would delay all other mails. */
async function limitChanges(
  trx: Trx,
  { actor, limits }: Context<StaffMember>,
  shopId: string,
): Promise<void> {
  if (await limits.tryUse(trx, ["upiChangeShop", shopId, actor.user._id])) return;
  const message = "You have changed this UPI ID too often today. Please try again tomorrow";
  throw new AppError("RATE_LIMITED", message, { limit: "upiChangeShop", retryAfterSeconds: UNDO_MS / 1000 });
}

/** The token in a link: the change's token, the recipient's id, and a MAC of both. */
function linkToken({ keyring }: Pick<Context, "keyring">, token: string, userId: string): string {
  return `${token}.${userId}.${keyring.mac("undo-link", `${token}.${userId}`)}`;
}

/**
 * The change that a link undoes or has undone, and the recipient of the link. Throws NOT_FOUND when it has expired, or
 * when the recipient was neither an owner nor an admin in the day before the change.
 */
async function findUndo(db: Db | Trx, ctx: Context, link: string) {
  const [token = "", userId = ""] = link.split(".");
  if (!sameHash(link, linkToken(ctx, token, userId))) throw linkExpired();
  const change = await findChange(db, sha256(token), undoableSince(ctx));
  if (!change) throw linkExpired();
  const { shop_id, standing_upi_id } = change;
  const changedAt = new Date(change.changed_at);
  const recipients = await findRecipients(
    db,
    recipientFilter({ now: () => changedAt }, shop_id, standing_upi_id),
  );
  const holder = recipients.find(({ id }) => id === userId);
  if (!holder) throw linkExpired();
  return { change, holder: { id: holder.id, name: holder.full_name } };
}

/** What a link would undo. Throws NOT_FOUND as `undoAddressChange` does. */
export async function previewUndo(ctx: Context, link: string) {
  const { change } = await findUndo(ctx.readDb, ctx, link);
  if (change.undone_by !== null) throw linkExpired();
  return {
    shopName: change.shop_name,
    from: maskUpiId(change.standing_upi_id),
    /** Whether students could pay online before. */
    hadAddress: change.standing_upi_id !== "",
    to: change.new_upi_id,
    by: change.changed_by_name,
    at: indianTime(change.changed_at),
  };
}

/**
 * Restores the last address that was in place for 24 hours, and logs out whoever changed it since: their session may be
 * stolen. Ends all links of the shop, so that no link can redo the change. Pressed again by the same person while the
 * address stands, it only returns the same. Throws NOT_FOUND.
 */
export async function undoAddressChange(
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
  const found = await findUndo(trx, ctx, link);
  // Other changes of the shop wait for this one.
  await lockRow(trx, "shops", found.change.shop_id);
  const { change, holder } = await findUndo(trx, ctx, link);
  const shop = { id: change.shop_id, name: change.shop_name };
  const upiId = change.standing_upi_id;
  const done = { shopName: shop.name, hadAddress: upiId !== "" };
  if (change.undone_by === holder.id && change.upi_id === upiId) return done;
  if (change.undone_by !== null) throw linkExpired();
  const people = await markUndone(trx, { shopId: shop.id, since: undoableSince(ctx), by: holder.id });
  await restoreAddress(trx, { id: shop.id, upiId, by: holder.name, at: ctx.now().toISOString() });
  await recordAudit(
    trx,
    { now: ctx.now, actor: linkActor(holder) },
    {
      action: "shop.undoPayment",
      subject: shop,
      shopId: shop.id,
      before: { upiId: change.upi_id },
      after: { upiId, loggedOut: namesOf(people) },
    },
  );
  await finishUndo(trx, ctx, {
    shop,
    upiId,
    by: `${holder.name}, with the link in our email,`,
    loggedOut: people,
  });
  return done;
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

/** Logs out the people who made the undone changes, and mails everybody concerned. */
async function finishUndo(trx: Trx, ctx: Context, { shop, upiId, by, loggedOut }: Undo): Promise<void> {
  for (const { id } of loggedOut) await endSessions(trx, id);
  const data = {
    shopName: shop.name,
    upiId,
    by,
    loggedOut: namesOf(loggedOut),
  };
  const recipients = await findRecipients(trx, recipientFilter(ctx, shop.id, upiId));
  await queueMails(
    trx,
    ctx,
    recipients.map(({ email }) => restoredAddressMail(email, data)),
  );
}

function namesOf(people: Person[]): string {
  return people.map(({ name }) => name).join(" and ");
}

/** The filter of `findRecipients` for a change made now. */
function recipientFilter(ctx: Pick<Context, "now">, shopId: string, upiId: string) {
  return { shopId, upiId, leftSince: undoableSince(ctx) };
}

/** The actor in the audit log: the link needs no login, so its recipient is named together with the link. */
function linkActor({ id, name }: { id: string; name: string }): SignedIn {
  return {
    kind: "user",
    user: { _id: id, fullName: `${name}, with an emailed link`, email: "", phone: "", role: "owner" },
  };
}

function undoableSince({ now }: Pick<Context, "now">): string {
  return new Date(now().getTime() - UNDO_MS).toISOString();
}

function linkExpired(): AppError {
  return new AppError(
    "NOT_FOUND",
    `This link was already used, is older than ${UNDO_HOURS} hours, or is no longer valid for you`,
  );
}
