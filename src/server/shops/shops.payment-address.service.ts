import { randomBytes } from "node:crypto";
import { holdRow } from "#db/row-locks.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { indianTime } from "#shared/indian-time.ts";
import { endSessions } from "../accounts/accounts.staff.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, SignedIn, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { sha256 } from "../keyring.ts";
import { queueMails } from "../mail/mail.service.ts";
import { timedId } from "../timed-id.ts";
import { changedAddressMail, maskUpiId, restoredAddressMail } from "./shops.payment-address.mails.ts";
import {
  endLinks,
  findChange,
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
 * Tells a shop's owners and all admins that students pay to another UPI id from now on, with a link that undoes it. Within
 * the transaction of the change; the caller wakes the mail worker.
 */
export async function tellOfNewAddress(
  trx: Trx,
  ctx: Context<StaffMember>,
  { shop, from, to }: AddressChange,
): Promise<void> {
  const at = ctx.now();
  const { user } = ctx.actor;
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
    url: `${ctx.publicUrl()}/payment-address?token=${token}`,
  };
  const concerned = await findConcerned(trx, shop.id);
  await queueMails(
    trx,
    ctx,
    concerned.map((email) => changedAddressMail(email, facts)),
  );
}

/** What a link would undo, for who holds it. Throws NOT_FOUND once it was used or its time is over. */
export async function readUndo(ctx: Context, token: string) {
  await ctx.limits.use("undoAddress", ctx.address);
  const change = await findChange(ctx.readDb, sha256(token), undoableSince(ctx));
  if (!change) throw deadLink();
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
 * session may be in other hands. Works once; the links of later changes of the shop end with it. Throws NOT_FOUND.
 */
export async function undoNewAddress(ctx: Context, token: string): Promise<{ shopName: string }> {
  await ctx.limits.use("undoAddress", ctx.address);
  const shopName = await transact(ctx.db, (trx) => storeUndo(trx, ctx, token));
  ctx.wakeMail();
  return { shopName };
}

async function storeUndo(trx: Trx, ctx: Context, token: string): Promise<string> {
  const found = await findChange(trx, sha256(token), undoableSince(ctx));
  if (!found) throw deadLink();
  // Whoever changes the shop at this moment comes before or after, so that the last word is known.
  await holdRow(trx, "shops", found.shop_id);
  if (!(await endLinks(trx, found))) throw deadLink();
  const at = ctx.now().toISOString();
  const before = await trx
    .selectFrom("shops")
    .select("upi_id")
    .where("id", "=", found.shop_id)
    .executeTakeFirstOrThrow();
  await restoreAddress(trx, {
    id: found.shop_id,
    upiId: found.old_upi_id,
    by: LINK_HOLDER.user.fullName,
    at,
  });
  await endSessions(trx, found.changed_by);
  await recordAudit(
    trx,
    { now: ctx.now, actor: LINK_HOLDER },
    {
      action: "shop.undoPayment",
      subject: { id: found.shop_id, name: found.shop_name },
      shopId: found.shop_id,
      before: { upiId: before.upi_id },
      after: { upiId: found.old_upi_id, loggedOut: found.changed_by_name },
    },
  );
  const concerned = await findConcerned(trx, found.shop_id);
  const facts = { shopName: found.shop_name, upiId: found.old_upi_id, loggedOut: found.changed_by_name };
  await queueMails(
    trx,
    ctx,
    concerned.map((email) => restoredAddressMail(email, facts)),
  );
  return found.shop_name;
}

/** Nobody needs to log in to undo a change: the audit log knows only by what it was done. */
const LINK_HOLDER: SignedIn = {
  kind: "user",
  user: { _id: "mailed-link", fullName: "The link in a mail", email: "", phone: "", role: "owner" },
};

function undoableSince({ now }: Context): string {
  return new Date(now().getTime() - UNDO_MS).toISOString();
}

function deadLink(): AppError {
  return new AppError("NOT_FOUND", `This link was used already, or is older than ${UNDO_HOURS} hours`);
}
