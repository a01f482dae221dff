import { type Trx, transact } from "#db/transaction.ts";
import { onFirstUse } from "#shared/on-first-use.ts";
import { deleteSavedAddresses, listAddresses } from "../accounts/addresses.service.ts";
import { verifyCurrentPassword } from "../accounts/password.service.ts";
import { closeAccount, exportAccount, requireNotStaff } from "../accounts/profile.service.ts";
import { exportMessages, forgetMessages } from "../contact/contact.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { exportFiles, forgetFiles } from "../files/files.service.ts";
import { logSecurity } from "../lib/log.ts";
import { exportMails, forgetMails, queueMail } from "../mail/mail.service.ts";
import { forgetStudent } from "../orders/board/search-words.ts";
import { anonymiseOrders, exportOrders, listOpenNumbers } from "../orders/orders.service.ts";
import { exportReports, forgetReports } from "../orders/reprints/reprints.service.ts";
import { accountDeletedMail } from "./privacy.mails.ts";

/** Everything that the store keeps about the user, for them to take away; nothing in it opens anything. */
export async function collectPersonalData(ctx: Context<SignedIn>) {
  const { _id: userId, email } = ctx.actor.user;
  await ctx.limits.use("downloadAccount", userId);
  const addresses = await listAddresses(ctx);
  return {
    store: ctx.publicUrl(),
    collectedAt: ctx.now().toISOString(),
    account: await exportAccount(ctx),
    addresses: addresses.map(({ id, ...address }) => address),
    orders: await exportOrders(ctx.readDb, userId),
    printingErrors: await exportReports(ctx.readDb, userId),
    uploadsNotOrdered: await exportFiles(ctx.readDb, userId),
    mails: await exportMails(ctx.readDb, email),
    contactMessages: await exportMessages(ctx.readDb, email),
  };
}

const listFormat = onFirstUse(() => new Intl.ListFormat("en", { type: "conjunction" }));

/**
 * Deletes the user's account for ever. Their orders stay without anything that names them; everything else of theirs
 * goes. Throws FORBIDDEN for staff, INVALID_INPUT for a wrong password and CONFLICT while an order is open.
 */
export async function deleteAccount(
  ctx: Context<SignedIn>,
  { password }: { password: string },
): Promise<null> {
  await requireNotStaff(ctx);
  await verifyCurrentPassword(ctx, password, "password");
  await transact(ctx.db, (trx) => forget(trx, ctx));
  logSecurity(ctx, "auth.account.deleted", ctx.actor.user);
  ctx.cookie.clear();
  ctx.deviceCookie.clear();
  return null;
}

/** The account first: whoever places an order at the same moment then waits, and is refused. */
async function forget(trx: Trx, ctx: Context<SignedIn>): Promise<void> {
  const { _id: userId, email } = ctx.actor.user;
  const at = ctx.now().toISOString();
  await closeAccount(trx, { userId, at });
  refuseOpenOrders(await listOpenNumbers(trx, userId));
  await deleteSavedAddresses(trx, userId);
  await forgetFiles(trx, { ownerId: userId, at });
  await forgetReports(trx, { ownerId: userId, at });
  await anonymiseOrders(trx, userId);
  await forgetStudent(trx, userId);
  await forgetMessages(trx, email);
  await forgetMails(trx, email);
  await queueMail(trx, ctx, accountDeletedMail({ to: email, contactUrl: `${ctx.publicUrl()}/contact-us` }));
}

function refuseOpenOrders(numbers: string[]): void {
  if (numbers.length === 0) return;
  const open = numbers.length === 1 ? `Order ${numbers[0]} is` : `Orders ${listFormat().format(numbers)} are`;
  throw new AppError(
    "CONFLICT",
    `${open} still under way. You can delete your account once every order is delivered or cancelled`,
  );
}
