import type { Trx } from "#db/transaction.ts";
import { MAIL_CHOICES, type MailChoice, type MailChoices } from "#shared/mail-choices.ts";
import type { MailChoiceInput } from "#shared/schemas/mail-choices.ts";
import type { Context, SignedIn } from "../context.ts";
import { deleteRefusal, findRefusals, insertRefusal } from "./accounts.mail-choices-queries.ts";

/** Which mails about their orders the user wants: all of them until they choose. */
export async function getMailChoices({ readDb, actor }: Context<SignedIn>): Promise<MailChoices> {
  const refused = await findRefusals(readDb, actor.user._id);
  return Object.fromEntries(MAIL_CHOICES.map((kind) => [kind, !refused.includes(kind)])) as MailChoices;
}

/** Takes a choice, and gives all of them as they are then. */
export async function chooseMail(
  ctx: Context<SignedIn>,
  { kind, wanted }: MailChoiceInput,
): Promise<MailChoices> {
  const change = wanted ? deleteRefusal : insertRefusal;
  await change(ctx.db, ctx.actor.user._id, kind);
  return getMailChoices(ctx);
}

export async function wantsMail(trx: Trx, userId: string, kind: MailChoice): Promise<boolean> {
  return !(await findRefusals(trx, userId)).includes(kind);
}
