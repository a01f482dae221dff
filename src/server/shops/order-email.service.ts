import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import { recordAudit } from "../audit/audit.service.ts";
import { type Context, type SignedIn, type StaffMember, shopNotFound } from "../context.ts";
import { AppError } from "../errors.ts";
import { sameHash } from "../lib/crypto.ts";
import { queueMail } from "../mail/mail.service.ts";
import { findManagedShop, type ManagedShopRecord, updateOrderEmail } from "./admin.queries.ts";
import { confirmEmailMail, ordersMovedMail } from "./shops.mails.ts";

// Orders are mailed with the student's name, number and address, and with links that open the files. Whoever mistypes a shop's
// e-mail would send all that to a stranger, so a new one must be confirmed by a link that is mailed to it.

/** How long the link works. */
const LINK_DAYS = 7;
const LINK_MS = LINK_DAYS * DAY_MS;

/** Asks a shop's new e-mail to confirm that it is the shop's, and tells the confirmed one, which gets the orders until then. */
export async function notifyEmailChange(
  trx: Trx,
  ctx: Context<StaffMember>,
  shop: Pick<ManagedShopRecord, "id" | "name" | "email" | "orderEmail">,
): Promise<void> {
  const { name: shopName, email, orderEmail } = shop;
  if (email === orderEmail) return;
  const contactUrl = `${ctx.publicUrl()}/contact-us`;
  if (orderEmail !== "") await queueMail(trx, ctx, ordersMovedMail(orderEmail, { shopName, contactUrl }));
  await askToConfirm(trx, ctx, shop);
}

async function askToConfirm(
  trx: Trx,
  ctx: Context,
  { id, name, email }: Pick<ManagedShopRecord, "id" | "name" | "email">,
): Promise<void> {
  const claim = { shopId: id, email, until: ctx.now().getTime() + LINK_MS };
  const url = `${ctx.publicUrl()}/shop-email?token=${linkToken(ctx, claim)}`;
  await queueMail(trx, ctx, confirmEmailMail(email, { shopName: name, url, days: LINK_DAYS }));
}

/** Mails the link again. Returns the e-mail that it went to; null if that is confirmed already. */
export async function sendConfirmation(
  ctx: Context<StaffMember>,
  { shopId }: { shopId: string },
): Promise<string | null> {
  const shop = await findManagedShop(ctx.readDb, shopId);
  if (!shop) throw shopNotFound();
  if (shop.email === shop.orderEmail) return null;
  await ctx.limits.use("shopMove", shopId);
  await transact(ctx.db, (trx) => askToConfirm(trx, ctx, shop));
  return shop.email;
}

/** What a link confirms: that this is the shop's e-mail. */
interface Claim {
  shopId: string;
  email: string;
  /** When the link ends; ms since 1970. */
  until: number;
}

function linkToken({ keyring }: Pick<Context, "keyring">, claim: Claim): string {
  const text = Buffer.from(JSON.stringify(claim)).toString("base64url");
  return `${text}.${keyring.mac("shop-email-link", text)}`;
}

/** The shop and e-mail that a link is about. Throws NOT_FOUND when it has expired or the shop has another e-mail by now. */
export async function readClaim(ctx: Context, link: string): Promise<ManagedShopRecord> {
  const claim = openLink(ctx, link);
  const shop = await findManagedShop(ctx.readDb, claim.shopId);
  if (shop?.email !== claim.email) throw linkExpired();
  return shop;
}

function openLink(ctx: Context, link: string): Claim {
  const [text = "", mac = ""] = link.split(".");
  if (!sameHash(mac, ctx.keyring.mac("shop-email-link", text))) throw linkExpired();
  const claim: Claim = JSON.parse(Buffer.from(text, "base64url").toString());
  if (claim.until <= ctx.now().getTime()) throw linkExpired();
  return claim;
}

/**
 * Confirms the e-mail, to which the shop's orders are mailed from now on. Confirming it again changes nothing. Throws NOT_FOUND
 * as `readClaim` does.
 */
export async function confirmEmail(ctx: Context, link: string): Promise<ManagedShopRecord> {
  const claim = openLink(ctx, link);
  return transact(ctx.db, (trx) => storeConfirmation(trx, ctx, claim));
}

async function storeConfirmation(
  trx: Trx,
  ctx: Context,
  { shopId, email }: Claim,
): Promise<ManagedShopRecord> {
  await lockRow(trx, "shops", shopId);
  const shop = await findManagedShop(trx, shopId);
  if (shop?.email !== email) throw linkExpired();
  if (shop.orderEmail === email) return shop;
  await updateOrderEmail(trx, { id: shopId, email });
  await recordAudit(
    trx,
    { now: ctx.now, actor: MAILBOX },
    {
      action: "shop.confirmEmail",
      subject: { id: shopId, name: shop.name },
      shopId,
      before: { ordersMailedTo: shop.orderEmail },
      after: { ordersMailedTo: email },
    },
  );
  return shop;
}

/** The actor in the audit log: the link needs no login. */
const MAILBOX: SignedIn = {
  kind: "user",
  user: { _id: "", fullName: "Whoever reads the shop's email", email: "", phone: "", role: "owner" },
};

function linkExpired(): AppError {
  return new AppError(
    "NOT_FOUND",
    `This link is older than ${LINK_DAYS} days, or the shop has another email now. Its owner can have a new link sent`,
  );
}
