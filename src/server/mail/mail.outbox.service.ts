import { type Trx, transact } from "#db/transaction.ts";
import type { MailListInput } from "#shared/schemas/mails.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context, Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { LOOKED_FOR, toPage } from "../paging.ts";
import { isErased, shownPartsOf } from "./mail.body.ts";
import { countUnsent, findListedMails, type ListedMail, retryFailedMail } from "./mail.list-queries.ts";
import { findMail } from "./mail.queries.ts";
import { queueCopy } from "./mail.service.ts";

export async function listOutbox(
  ctx: Context<Admin>,
  { state, search, cursor }: MailListInput,
): Promise<ListPage<ListedMail>> {
  const filter = { state, search: search.toLowerCase() };
  const range = { after: cursor ?? undefined, limit: LOOKED_FOR };
  const { rows, stoppedAt } = await findListedMails(ctx.readDb, filter, range);
  return toPage(rows, stoppedAt);
}

/** How many mails wait and failed, and whether the store sends mails at all or keeps them. */
export async function outboxFacts(ctx: Context<Admin>) {
  return { ...(await countUnsent(ctx.readDb)), delivers: delivers(ctx) };
}

const WITHHELD = { text: null, html: null };

/** One mail. What opens an account (`secret`) is shown only where mails are kept in the store to be read there. */
export async function readMail(ctx: Context<Admin>, { id }: { id: string }) {
  const mail = await findMail(ctx.readDb, id);
  if (!mail) throw notFound();
  const { secret, body, ...facts } = mail;
  const parts = secret && delivers(ctx) ? WITHHELD : await shownPartsOf(body);
  return { ...facts, ...parts, resendable: !isErased(body) };
}

/** Sends a failed mail again, or a copy of one that was sent: a mail server takes the same mail for a repeat. */
export async function resendMail(ctx: Context<Admin>, { id }: { id: string }): Promise<void> {
  await transact(ctx.db, (trx) => storeResend(trx, ctx, id));
  ctx.wakeMail();
}

async function storeResend(trx: Trx, ctx: Context<Admin>, id: string): Promise<void> {
  const mail = await findMail(trx, id);
  if (!mail) throw notFound();
  if (isErased(mail.body)) {
    throw new AppError("CONFLICT", "Its code or link is not kept. Please have the person ask for a new one");
  }
  if (mail.sentAt) await queueCopy(trx, ctx, mail);
  else if (!(await retryFailedMail(trx, id, ctx.now().toISOString()))) {
    throw new AppError("CONFLICT", "This mail is on its way already");
  }
  await recordAudit(trx, ctx, {
    action: "mail.resend",
    subject: { id, name: mail.subject },
    after: { to: mail.to, kind: mail.kind },
  });
}

function delivers({ config }: Pick<Deps, "config">): boolean {
  return config.smtpUrl !== null;
}

function notFound(): AppError {
  return new AppError("NOT_FOUND", "This mail was not found");
}
