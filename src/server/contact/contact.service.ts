import { randomUUID } from "node:crypto";
import type { Db } from "#db/database.ts";
import { lockRow } from "#db/sql.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { ContactInput, ContactListInput, MarkContactInput } from "#shared/schemas/contact.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { findAdminEmails } from "../accounts/admin.service.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { toPage } from "../lib/paging.ts";
import { paragraph } from "../mail/blocks.ts";
import { type Mail, plainMail, queueMail } from "../mail/mail.service.ts";
import {
  type ContactMessage,
  countContactMessages,
  deleteMessagesFrom,
  findContactMessages,
  findMessagesFrom,
  findSender,
  insertContactMessage,
  type SentMessage,
  updateContactState,
} from "./contact.queries.ts";

/** Stores a visitor's message and mails it to the admins, whose replies go to the visitor. */
export async function sendContactMessage(ctx: Context, input: ContactInput): Promise<null> {
  const { actor, address, limits } = ctx;
  if (actor.kind === "user") await limits.use("contactAccount", actor.user._id);
  else await limits.takeAll(["contactAddress", address], ["contactPair", input.email, address]);
  await transact(ctx.db, (trx) => storeMessage(trx, ctx, input));
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

export async function listContactMessages(
  ctx: Context<Admin>,
  input: ContactListInput,
): Promise<ListPage<ContactMessage>> {
  return toPage(await findContactMessages(ctx.readDb, input));
}

export async function countContact(ctx: Context<Admin>): Promise<Record<"new" | "read", number>> {
  return { new: 0, read: 0, ...(await countContactMessages(ctx.readDb)) };
}

/** Sets the state of a message; does nothing when it already has this state, or not the one that it is marked from. */
export async function markContactMessage(ctx: Context<Admin>, input: MarkContactInput): Promise<void> {
  await transact(ctx.db, (trx) => storeMark(trx, ctx, input));
}

async function storeMark(
  trx: Trx,
  ctx: Context<Admin>,
  { id, state, from }: MarkContactInput,
): Promise<void> {
  await lockRow(trx, "contact_messages", id);
  const message = await findSender(trx, id);
  if (!message) throw new AppError("NOT_FOUND", "This message was not found");
  if (message.state === state || (from && message.state !== from)) return;
  await updateContactState(trx, id, { state, by: ctx.actor.user._id, now: ctx.now().toISOString() });
  await recordAudit(trx, ctx, {
    action: "contact.mark",
    subject: { id, name: message.fullName },
    before: { state: message.state },
    after: { state },
  });
}

/** The messages sent with this e-mail address. */
export function exportContactMessages(db: Db, email: string): Promise<SentMessage[]> {
  return findMessagesFrom(db, email);
}

/** Deletes the messages sent with this e-mail address. */
export function deleteContactMessages(trx: Trx, email: string): Promise<void> {
  return deleteMessagesFrom(trx, email);
}

/** A visitor's message to the store; a reply to the mail goes to the visitor. */
export function contactMail(to: string, { fullName, email, subject, message }: ContactInput): Mail {
  return plainMail({
    kind: "contact",
    to,
    replyTo: email,
    subject: subject ? `Contact: ${subject}` : `Contact from ${fullName}`,
    blocks: [
      {
        kind: "facts",
        title: "From",
        facts: [
          { label: "Name", value: fullName },
          { label: "Email", value: email },
        ],
      },
      paragraph(message),
    ],
    footer:
      "Someone sent this message through the contact form of Print Store. Reply to this email to answer them.",
  });
}
