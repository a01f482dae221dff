import { type Trx, transact } from "#db/transaction.ts";
import { onFirstUse } from "#shared/on-first-use.ts";
import { ACCOUNT_DELETED_MAIL } from "#shared/schemas/mails.ts";
import { deleteSavedAddresses, listAddresses } from "../accounts/addresses.service.ts";
import { verifyCurrentPassword } from "../accounts/password.service.ts";
import { closeAccount, exportAccount, requireAccount, requireNotStaff } from "../accounts/profile.service.ts";
import { closeVisit, deleteEndedVisits, listDueVisits } from "../accounts/visits.service.ts";
import { deleteContactMessages, exportContactMessages } from "../contact/contact.service.ts";
import type { Context, Deps, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { deletePersonalFiles, exportFiles } from "../files/files.service.ts";
import { removeEach } from "../lib/jobs.ts";
import { logSecurity } from "../lib/log.ts";
import { paragraph } from "../mail/blocks.ts";
import { deletePersonalMails, exportMails, type Mail, plainMail, queueMail } from "../mail/mail.service.ts";
import { anonymiseOrders, exportOrders, listOpenNumbers } from "../orders/orders.service.ts";
import { settleVisitOrders } from "../orders/placement/visit-orders.service.ts";
import { deletePersonalReports, exportReports } from "../orders/reprints/reprints.service.ts";
import { exportPushDevices } from "../push/push.service.ts";
import { deletePersonalInvitations } from "../staff/invitations.service.ts";

/** All personal data of the user, for download; it holds nothing that opens an account or a file. */
export async function collectPersonalData(ctx: Context<SignedIn>) {
  const { _id: userId, email } = ctx.actor.user;
  await ctx.limits.use("downloadAccount", userId);
  const addresses = await listAddresses(ctx);
  return {
    store: ctx.publicUrl(),
    collectedAt: ctx.now().toISOString(),
    account: await exportAccount(ctx),
    pushMessagesTo: await exportPushDevices(ctx.readDb, userId),
    addresses: addresses.map(({ id, ...address }) => address),
    orders: await exportOrders(ctx.readDb, userId),
    printingErrors: await exportReports(ctx.readDb, userId),
    uploadsNotOrdered: await exportFiles(ctx.readDb, userId),
    mails: await exportMails(ctx.readDb, email),
    contactMessages: await exportContactMessages(ctx.readDb, email),
  };
}

const listFormat = onFirstUse(() => new Intl.ListFormat("en", { type: "conjunction" }));

/**
 * Deletes the user's account and personal data; orders stay without anything that identifies the user. Throws FORBIDDEN
 * for staff, INVALID_INPUT for a wrong password and CONFLICT while an order is open.
 */
export async function deleteAccount(
  ctx: Context<SignedIn>,
  { password }: { password: string },
): Promise<null> {
  await requireNotStaff(ctx);
  await verifyCurrentPassword(ctx, password, "password");
  await transact(ctx.db, (trx) => deletePersonalData(trx, ctx));
  logSecurity(ctx, "auth.account.deleted", ctx.actor.user);
  ctx.cookie.clear();
  ctx.deviceCookie.clear();
  return null;
}

/** Closes the account first: an order placed at the same moment then waits for the lock and is refused. */
async function deletePersonalData(trx: Trx, ctx: Context<SignedIn>): Promise<void> {
  const { _id: userId, email } = await requireAccount(trx, ctx.actor.user._id);
  const at = ctx.now().toISOString();
  await closeAccount(trx, { userId, at });
  requireNoOpenOrders(await listOpenNumbers(trx, userId));
  await deleteSavedAddresses(trx, userId);
  await deletePersonalFiles(trx, { ownerId: userId, at });
  await deletePersonalReports(trx, { ownerId: userId, at });
  await anonymiseOrders(trx, userId);
  await deleteContactMessages(trx, email);
  await deletePersonalInvitations(trx, email);
  await deletePersonalMails(trx, email);
  await queueMail(trx, ctx, accountDeletedMail({ to: email, contactUrl: `${ctx.publicUrl()}/contact-us` }));
}

function requireNoOpenOrders(numbers: string[]): void {
  if (numbers.length === 0) return;
  const open = numbers.length === 1 ? `Order ${numbers[0]} is` : `Orders ${listFormat().format(numbers)} are`;
  throw new AppError(
    "CONFLICT",
    `${open} not finished yet. You can delete your account once every order is delivered or cancelled`,
  );
}

/** The last mail about a deleted account. It leaves out the name, because the person asked to be deleted. */
export function accountDeletedMail({ to, contactUrl }: { to: string; contactUrl: string }): Mail {
  return plainMail({
    kind: ACCOUNT_DELETED_MAIL,
    to,
    subject: "Your Print Store account is deleted",
    blocks: [
      paragraph(
        "As you asked, we have deleted your account, your files, your saved addresses and your messages. The shops keep your orders in their books, without anything that identifies you.",
      ),
      paragraph(
        "Thank you for printing with us. You are welcome to sign up again with this address at any time.",
      ),
      { kind: "button", label: "Was this not you? Contact us", url: contactUrl },
    ],
    footer: "This is the last email about this account. We delete your address within a few days.",
  });
}

type JobDeps = Pick<Deps, "db" | "readDb" | "now" | "log">;

/**
 * Deletes what visitors at counters have left once their two hours are over. A visit's rows are deleted some runs later, once the
 * bytes of its files are erased. Throws as `removeEach` does.
 */
export async function endDueVisits(deps: JobDeps): Promise<void> {
  const ending = removeEach(await listDueVisits(deps), (userId) =>
    transact(deps.db, (trx) => deleteVisitData(trx, deps, userId)),
  );
  await ending.finally(() => deleteEndedVisits(deps));
}

/** Deletes the personal data of a visit, as of an account; its orders stay for the shop's books. */
async function deleteVisitData(trx: Trx, deps: JobDeps, userId: string): Promise<void> {
  const at = deps.now().toISOString();
  if (!(await closeVisit(trx, { userId, at }))) return;
  await settleVisitOrders(trx, deps, userId);
  await deletePersonalFiles(trx, { ownerId: userId, at });
  await anonymiseOrders(trx, userId);
}
