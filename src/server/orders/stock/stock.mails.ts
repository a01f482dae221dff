import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { Quote } from "#shared/pricing.ts";
import { type MailBlock, paragraph } from "../../mail/blocks.ts";
import type { Mail } from "../../mail/mail.service.ts";
import type { OptionRecord } from "../../shops/shops.queries.ts";
import {
  ASK_SHOP,
  type MailedOrder,
  orderButton,
  paymentBlocks,
  prices,
  refundText,
  studentMail,
} from "../mail-content.ts";

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
  return studentMail(order, { kind: "order-changed", subject: `Order ${number} is changed`, blocks });
}
