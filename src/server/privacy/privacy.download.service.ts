import { exportAccount } from "../accounts/accounts.personal.service.ts";
import { listAddresses } from "../addresses/addresses.service.ts";
import { exportMessages } from "../contact/contact.personal.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { exportFiles } from "../files/files.personal.service.ts";
import { exportMails } from "../mail/mail.personal.service.ts";
import { exportOrders } from "../orders/orders.personal.service.ts";
import { exportReports } from "../reprints/reprints.personal.service.ts";

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
