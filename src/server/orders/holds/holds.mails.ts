import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { refundDuePaise } from "#shared/payment.ts";
import type { Quote } from "#shared/pricing.ts";
import type { Deps } from "../../context.ts";
import { type MailBlock, paragraph } from "../../mail/blocks.ts";
import type { Mail } from "../../mail/mail.service.ts";
import type { OptionRecord } from "../../shops/shops.queries.ts";
import {
  ASK_SHOP,
  cancelledBlocks,
  consoleButton,
  type MailedOrder,
  orderButton,
  paymentBlocks,
  prices,
  refundText,
  shopMail,
  studentMail,
} from "../mail-content.ts";

/** Mail to the student when the shop puts the order on hold. It cannot be switched off: nothing goes on without them. */
export function heldMail(order: MailedOrder, reason: string): Mail {
  const { number, shop, student, orderUrl, state, original } = order;
  const changes = original ? "replace the file" : "replace the file, choose another option";
  const ways =
    state === "printed"
      ? "Please answer on your order's page"
      : `On your order's page you can answer, ${changes} or cancel the order`;
  const blocks: MailBlock[] = [
    paragraph(
      `Hello ${student.fullName}, ${shop.name} cannot continue with your order. Nothing is lost: the shop is waiting for your answer.`,
    ),
    { kind: "facts", title: "Why", facts: [{ label: "The shop writes", value: reason }] },
    paragraph(`${ways}. Or reply to this email to reach the shop.`),
    { kind: "button", label: "Answer the shop", url: orderUrl },
  ];
  return studentMail(order, { kind: "order-held", subject: `Order ${number} is on hold`, blocks });
}

/** What a student did about a hold; `text` says it in a line. */
interface HoldReply {
  kind: "answered" | "changed" | "cancelled";
  text: string;
  /** Whether it was being printed before it was changed. */
  isPrintedAnew?: boolean;
}

const REPLY_TITLES: Record<HoldReply["kind"], (number: string) => string> = {
  answered: (number) => `Answer about order ${number}`,
  changed: (number) => `Order ${number} was changed and can be printed`,
  cancelled: (number) => `Order ${number} is cancelled by the student`,
};

/** Mail to the shop about what the student did. */
export function holdReplyMail(
  { publicUrl }: Pick<Deps, "publicUrl">,
  order: MailedOrder,
  { kind, text, isPrintedAnew = false }: HoldReply,
): Mail {
  const { id, number, student } = order;
  const refundPaise = refundDuePaise(order);
  const blocks: MailBlock[] = [
    { kind: "facts", title: student.fullName, facts: [{ label: "What the student says", value: text }] },
    ...(isPrintedAnew
      ? [paragraph("It was being printed before it was changed. Please print it again.")]
      : []),
    ...(refundPaise > 0 ? [paragraph(`Please refund ${formatPaise(refundPaise)} to the student.`)] : []),
    consoleButton(publicUrl(), id),
  ];
  return shopMail(order, { kind: "order-hold-reply", subject: REPLY_TITLES[kind](number), blocks });
}

/** Mail to the student that confirms what they changed, and how to pay what it costs now: earlier mails have codes for the old price. */
export function changedMail(order: MailedOrder, kind: "changed" | "cancelled", text: string): Mail {
  const { number, shop, student } = order;
  const subject = kind === "changed" ? `Order ${number} was changed` : `Order ${number} is cancelled`;
  const what =
    kind === "changed" ? "changed your order, and the shop can print it now" : "cancelled your order";
  const blocks: MailBlock[] = [
    paragraph(`Hello ${student.fullName}, you have ${what}.${refundText(order)}`),
    {
      kind: "facts",
      title: "Your order",
      facts: [
        { label: "Shop", value: shop.name },
        { label: kind === "changed" ? "Changed" : "Why", value: text },
      ],
    },
    ...paymentBlocks(order),
    ...(kind === "cancelled" ? cancelledBlocks(order) : [orderButton(order.orderUrl)]),
  ];
  return studentMail(order, { kind: "order-changed", subject, blocks });
}

/** An option that is printed instead of one that has run out, and what the order cost before and costs now. */
interface Substitute {
  from: Pick<OptionRecord, "kind" | "name">;
  to: Pick<OptionRecord, "name">;
  before: Quote;
  quote: Quote;
}

/**
 * Mail to the student whose order the shop changed, because something has run out, with how to pay what it costs now. It cannot
 * be switched off.
 */
export function substitutedMail(order: MailedOrder, { from, to, before, quote }: Substitute): Mail {
  const { number, shop, student } = order;
  const saved = before.totalPaise - quote.totalPaise;
  const cheaper = saved > 0 ? `You pay ${formatPaise(saved)} less than before.` : "The price stays the same.";
  const blocks: MailBlock[] = [
    paragraph(
      `Hello ${student.fullName}, “${from.name}” has run out at ${shop.name}, so your order is printed with “${to.name}” instead. ${cheaper}${refundText(order)}`,
    ),
    {
      kind: "facts",
      title: "Your order",
      facts: [
        { label: "Shop", value: shop.name },
        { label: OPTION_FIELDS[from.kind].label, value: `${to.name} instead of ${from.name}` },
      ],
    },
    prices(quote),
    ...paymentBlocks(order),
    paragraph(`Is that not what you want? ${ASK_SHOP}`),
    orderButton(order.orderUrl),
  ];
  return studentMail(order, { kind: "order-changed", subject: `Order ${number} was changed`, blocks });
}
