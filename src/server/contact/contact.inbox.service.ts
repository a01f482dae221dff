import { holdRow } from "#db/row-locks.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { ContactListInput, MarkContactInput } from "#shared/schemas/contact.ts";
import type { ListPage } from "#shared/schemas/paging.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Admin, Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { LOOKED_FOR, toPage } from "../paging.ts";
import {
  type ContactMessage,
  countContactMessages,
  findContactMessages,
  findSender,
  updateContactState,
} from "./contact.queries.ts";

export async function listContactMessages(
  ctx: Context<Admin>,
  { state, cursor }: ContactListInput,
): Promise<ListPage<ContactMessage>> {
  const range = { after: cursor ?? undefined, limit: LOOKED_FOR };
  return toPage(await findContactMessages(ctx.readDb, state, range));
}

export async function countContact(ctx: Context<Admin>): Promise<Record<"new" | "read", number>> {
  return { new: 0, read: 0, ...(await countContactMessages(ctx.readDb)) };
}

/** Says what was done about a message. Nothing happens where it stands so already. */
export async function markContactMessage(ctx: Context<Admin>, input: MarkContactInput): Promise<void> {
  await transact(ctx.db, (trx) => storeMark(trx, ctx, input));
}

async function storeMark(trx: Trx, ctx: Context<Admin>, { id, state }: MarkContactInput): Promise<void> {
  await holdRow(trx, "contact_messages", id);
  const message = await findSender(trx, id);
  if (!message) throw new AppError("NOT_FOUND", "This message was not found");
  if (message.state === state) return;
  await updateContactState(trx, id, { state, by: ctx.actor.user._id, now: ctx.now().toISOString() });
  await recordAudit(trx, ctx, {
    action: "contact.mark",
    subject: { id, name: message.fullName },
    before: { state: message.state },
    after: { state },
  });
}
