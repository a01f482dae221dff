import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { Quote } from "#shared/pricing.ts";
import type { Context, SignedIn } from "../context.ts";
import { fileUrl, signFileUrl } from "../files/files.service.ts";
import { queueMails } from "../mail/mail.service.ts";
import { agreedAddress, agreedShop } from "./orders.agreed.service.ts";
import type { OrderMailFacts } from "./orders.mail-facts.ts";
import { orderMails } from "./orders.mails.ts";
import type { ChosenFile } from "./orders.pages.ts";
import { noteTelling, orderPageUrl } from "./orders.state-mails.service.ts";

/** How long the links in the shop's mail open the files; after that staff open them in the console. */
const LINK_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

/** What the mails of a new order are made of. */
export interface PlacedFacts {
  order: OrderTable;
  quote: Quote;
  /** Where the shop takes UPI; empty where it does not. */
  upiId: string;
  files: ChosenFile[];
  /** The number of the order that it prints again. */
  reprintOf?: string | undefined;
}

/** Puts the student's confirmation, unless they refused it, and the shop's notice of a new order into the outbox. */
export async function queueOrderMails(trx: Trx, ctx: Context<SignedIn>, placed: PlacedFacts): Promise<void> {
  const { id, user_id } = placed.order;
  const telling = { orderId: id, state: "placed", userId: user_id, choice: "placed" } as const;
  const isTold = await noteTelling(trx, ctx, telling);
  const { student, shop } = orderMails(mailFacts(ctx, placed));
  await queueMails(trx, ctx, isTold ? [student, shop] : [shop]);
}

function mailFacts(
  ctx: Context<SignedIn>,
  { order, quote, upiId, files, reprintOf }: PlacedFacts,
): OrderMailFacts {
  const linkExpiry = new Date(ctx.now().getTime() + LINK_LIFETIME_MS);
  const { fullName, email, phone } = ctx.actor.user;
  return {
    number: order.number,
    reprintOf,
    orderUrl: orderPageUrl(ctx, order.id),
    placedAt: order.created_at,
    shop: agreedShop(order),
    student: { fullName, email, phone },
    pages: order.pages,
    copies: order.copies,
    quote,
    message: order.message,
    fulfilment: order.fulfilment,
    address: agreedAddress(order),
    upiId,
    signedUntil: linkExpiry.toISOString(),
    files: files.map((file) => ({
      name: file.originalFilename,
      pages: file.pages,
      pageRanges: file.pageRanges,
      bytes: file.bytes,
      url: fileUrl(ctx, file.id),
      signedUrl: signFileUrl(ctx, file.id, linkExpiry),
    })),
  };
}
