import { randomBytes } from "node:crypto";
import type { Db } from "#db/open.ts";
import { holdRow } from "#db/row-locks.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { indianTime } from "#shared/indian-time.ts";
import { endSessions } from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, SignedIn, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { sameHash, sha256 } from "../keyring.ts";
import { queueMails } from "../mail/mail.service.ts";
import { timedId } from "../timed-id.ts";
import { changedAddressMail, maskUpiId, restoredAddressMail } from "./shops.payment-address.mails.ts";
import {
  endLinks,
  findChange,
  findChangeFrom,
  findConcerned,
  insertChange,
  restoreAddress,
} from "./shops.payment-address.queries.ts";

/** How long a change of a payment address can be undone by the link that is mailed of it. */
export const UNDO_HOURS = 24;
const UNDO_MS = UNDO_HOURS * 60 * 60 * 1000;

interface AddressChange {
  shop: { id: string; name: string };
  from: string;
  to: string;
}

/**
 * Tells a shop's owners and all admins that students pay to another UPI id from now on, each with a link of their own that
 * undoes it. Who puts the address from before in by hand has undone the change: no link leads back to the other one. Within
 * the transaction of the change; the caller wakes the mail worker.
 */
export async function tellOfNewAddress(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shop, from, to }: AddressChange,
): Promise<void> {
  const at = ctx.now();
  const { user } = ctx.actor;
  const undone = await findChangeFrom(trx, { shopId: shop.id, upiId: to, since: undoableSince(ctx) });
  if (undone && (await endLinks(trx, undone))) {
    const logsOut = undone.changed_by !== user._id;
    await finishUndo(trx, ctx, { change: { ...undone, shop_name: shop.name }, by: user.fullName, logsOut });
    return;
  }
  const token = randomBytes(32).toString("base64url");
  const change = {
    id: timedId(),
    shop_id: shop.id,
    old_upi_id: from,
    new_upi_id: to,
    changed_by: user._id,
    changed_at: at.toISOString(),
    token_hash: sha256(token),
  };
  await insertChange(trx, change, new Date(at.getTime() - UNDO_MS).toISOString());
  const facts = {
    shopName: shop.name,
    from,
    to,
    by: `${user.fullName}, ${user.email}`,
    at: indianTime(at.toISOString()),
    until: indianTime(new Date(at.getTime() + UNDO_MS).toISOString()),
  };
  const concerned = await findConcerned(trx, shop.id);
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

/** What a link holds: the change's token, for whom it was mailed, and the proof of that. */
function linkToken({ keyring }: Pick<Context, "keyring">, token: string, userId: string): string {
  return `${token}.${userId}.${keyring.mac("undo-link", `${token}.${userId}`)}`;
}

type Undoable = NonNullable<Awaited<ReturnType<typeof findChange>>>;

/**
 * The change that a link undoes, and whose link it is. Throws NOT_FOUND once it was used, its time is over, or its holder
 * is neither an owner of the shop nor an admin any more.
 */
async function findUndo(db: Db | Trx, ctx: Context, link: string) {
  const [token = "", userId = ""] = link.split(".");
  if (!sameHash(link, linkToken(ctx, token, userId))) throw deadLink();
  const change = await findChange(db, sha256(token), undoableSince(ctx));
  const concerned = change ? await findConcerned(db, change.shop_id) : [];
  const holder = concerned.find(({ id }) => id === userId);
  if (!change || !holder) throw deadLink();
  return { change, holder: { id: holder.id, name: holder.full_name } };
}

/** What a link would undo, for who holds it. Throws NOT_FOUND as `undoNewAddress` does. */
export async function readUndo(ctx: Context, link: string) {
  await ctx.limits.use("undoAddress", ctx.address);
  const { change } = await findUndo(ctx.readDb, ctx, link);
  return {
    shopName: change.shop_name,
    from: maskUpiId(change.old_upi_id),
    to: change.new_upi_id,
    by: change.changed_by_name,
    at: indianTime(change.changed_at),
  };
}

/**
 * Brings back the address that was there before the change, whatever was changed after it, and logs out who made it: their
 * session may be in other hands. Works once; the links of later changes of the shop end with it, so that links lead back
 * alone and never forth again. Throws NOT_FOUND.
 */
export async function undoNewAddress(ctx: Context, link: string): Promise<{ shopName: string }> {
  await ctx.limits.use("undoAddress", ctx.address);
  const shopName = await transact(ctx.db, (trx) => storeUndo(trx, ctx, link));
  ctx.wakeMail();
  return { shopName };
}

async function storeUndo(trx: Trx, ctx: Context, link: string): Promise<string> {
  const { change, holder } = await findUndo(trx, ctx, link);
  // Whoever changes the shop at this moment comes before or after, so that the last word is known.
  await holdRow(trx, "shops", change.shop_id);
  if (!(await endLinks(trx, change))) throw deadLink();
  const before = await trx
    .selectFrom("shops")
    .select("upi_id")
    .where("id", "=", change.shop_id)
    .executeTakeFirstOrThrow();
  await restoreAddress(trx, {
    id: change.shop_id,
    upiId: change.old_upi_id,
    by: holder.name,
    at: ctx.now().toISOString(),
  });
  await recordAudit(
    trx,
    { now: ctx.now, actor: byLink(holder) },
    {
      action: "shop.undoPayment",
      subject: { id: change.shop_id, name: change.shop_name },
      shopId: change.shop_id,
      before: { upiId: before.upi_id },
      after: { upiId: change.old_upi_id, loggedOut: change.changed_by_name },
    },
  );
  await finishUndo(trx, ctx, { change, by: `${holder.name}, by the link in our mail,`, logsOut: true });
  return change.shop_name;
}

/** Logs out who had made a change that is undone, and tells all whom it concerns. */
async function finishUndo(
  trx: Trx,
  ctx: Context,
  { change, by, logsOut }: { change: Undoable; by: string; logsOut: boolean },
): Promise<void> {
  if (logsOut) await endSessions(trx, change.changed_by);
  const facts = {
    shopName: change.shop_name,
    upiId: change.old_upi_id,
    by,
    loggedOut: logsOut ? change.changed_by_name : null,
  };
  const concerned = await findConcerned(trx, change.shop_id);
  await queueMails(
    trx,
    ctx,
    concerned.map(({ email }) => restoredAddressMail(email, facts)),
  );
}

/** The link needs no login: the audit log says whose it was, and that it was the link. */
function byLink({ id, name }: { id: string; name: string }): SignedIn {
  return {
    kind: "user",
    user: { _id: id, fullName: `${name}, by a mailed link`, email: "", phone: "", role: "owner" },
  };
}

function undoableSince({ now }: Context): string {
  return new Date(now().getTime() - UNDO_MS).toISOString();
}

function deadLink(): AppError {
  return new AppError(
    "NOT_FOUND",
    `This link was used already, is older than ${UNDO_HOURS} hours, or is no longer yours to use`,
  );
}
