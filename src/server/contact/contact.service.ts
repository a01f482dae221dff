import { randomUUID } from "node:crypto";
import { type Trx, transact } from "#db/transaction.ts";
import type { ContactInput } from "#shared/schemas/contact.ts";
import { findAdminEmails } from "../accounts/accounts.admin.service.ts";
import type { Context } from "../context.ts";
import { queueMail } from "../mail/mail.service.ts";
import { contactMail } from "./contact.mails.ts";
import { insertContactMessage } from "./contact.queries.ts";

/** Keeps a visitor's message and mails it to the store's admins, who can answer it directly. */
export async function sendContactMessage(ctx: Context, input: ContactInput): Promise<null> {
  await ctx.limits.takeAll(
    ["contactAddress", ctx.address],
    ["contactAccount", ctx.actor.kind === "user" ? ctx.actor.user._id : input.email],
  );
  await transact(ctx.db, (trx) => storeMessage(trx, ctx, input));
  ctx.wakeMail();
  return null;
}

async function storeMessage(trx: Trx, ctx: Context, input: ContactInput): Promise<void> {
  await insertContactMessage(trx, {
    id: randomUUID(),
    full_name: input.fullName,
    email: input.email,
    subject: input.subject,
    message: input.message,
    created_at: ctx.now().toISOString(),
  });
  for (const to of await findAdminEmails(trx)) await queueMail(trx, ctx, contactMail(to, input));
}
