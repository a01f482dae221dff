import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { counted } from "#shared/format.ts";
import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import { duePaise, PAYMENT_NAMES, paymentStatus, refundDuePaise, upiLink } from "#shared/payment.ts";
import { billedLines, type PriceLine, type Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { Deps } from "../context.ts";
import { type Button, type Facts, type MailBlock, type Prices, paragraph } from "../mail/blocks.ts";
import { type Mail, plainMail, queueMail } from "../mail/mail.service.ts";
import type { OrderRow } from "./orders.queries.ts";
import { type OwnOrder, toOwnOrder } from "./orders.service.ts";

/** The data of an order that all its mails need; the shop's e-mail is the one that it has now. */
export interface MailedOrder extends OwnOrder {
  /** Where the shop is mailed; empty while no e-mail of it is confirmed. */
  shopMailbox: string;
  student: { fullName: string; email: string };
  /** URL of the order's page for the student. */
  orderUrl: string;
  /** The order that this one reprints for free. */
  original: { number: string; url: string } | null;
}

export function mailedOrder(
  { publicUrl }: Pick<Deps, "publicUrl">,
  order: OrderTable &
    Pick<OrderRow, "upiId" | "studentName" | "shownEmail" | "shopMailbox" | "originalNumber">,
): MailedOrder {
  const own = toOwnOrder(order);
  const urlOf = (id: string) => `${publicUrl()}/orders/${id}`;
  const { reprint_of, originalNumber, shownEmail, shopMailbox } = order;
  return {
    ...own,
    shop: { ...own.shop, email: shownEmail },
    shopMailbox,
    student: { fullName: order.studentName, email: order.user_email },
    orderUrl: urlOf(order.id),
    original: reprint_of && originalNumber ? { number: originalNumber, url: urlOf(reprint_of) } : null,
  };
}

/** The price lines of an order, the total last. */
export function prices(quote: Quote): Prices {
  const rounding = quote.roundingPaise
    ? [{ label: "Rounded up to whole rupees", amountPaise: quote.roundingPaise }]
    : [];
  return {
    kind: "prices",
    title: "Price",
    prices: [
      ...billedLines(quote).map((line) => ({
        label: `${OPTION_FIELDS[line.kind].label}: ${line.name}`,
        note: calculation(line),
        amountPaise: line.amountPaise,
      })),
      ...rounding,
      { label: "Subtotal", amountPaise: quote.subTotalPaise },
      { label: "Tax", amountPaise: quote.taxPaise },
      { label: "Delivery fee", amountPaise: quote.deliveryFeePaise },
      { label: "Order total", amountPaise: quote.totalPaise, isTotal: true },
    ],
  };
}

/** Where the order is delivered or picked up; empty if there is no address. */
export function destination({ fulfilment, address, shop }: MailedOrder): Facts[] {
  if (fulfilment !== "delivery") {
    return [{ kind: "facts", title: "Pickup", facts: [{ label: shop.name, value: shop.location }] }];
  }
  return address ? [delivery(address)] : [];
}

function delivery({ fullname, flatno, roadNo, country }: DeliveryAddress): Facts {
  return {
    kind: "facts",
    title: "Delivery address",
    facts: [
      { label: "Delivery to", value: fullname },
      { label: "Flat number", value: flatno },
      { label: "Road number", value: roadNo },
      { label: "Country and district", value: country },
    ],
  };
}

/** Such as `₹1.50 × 64 pages`. */
function calculation({ unitPaise, basis, quantity }: PriceLine): string {
  return basis === "order"
    ? `${formatPaise(unitPaise)} once`
    : `${formatPaise(unitPaise)} × ${counted(quantity, basis)}`;
}

/** How to pay the order, with a prefilled UPI link if the shop takes UPI; empty if there is nothing to pay. */
export function paymentBlocks(order: MailedOrder): MailBlock[] {
  const status = paymentStatus(order);
  switch (status) {
    case "upi":
      return upiBlocks(order);
    case "on delivery":
    case "on pickup":
    case "unmarked":
    case "at the counter":
      return [payment(PAYMENT_NAMES[status], order)];
    case "partly paid":
      return order.upiId === "" || order.fulfilment === "counter"
        ? [payment(PAYMENT_NAMES[status], order)]
        : upiBlocks(order);
    case "paid":
      return [payment("Marked as paid by the shop", order)];
    case "refund due":
    case "refunded":
    case "void":
      return [];
  }
}

function upiBlocks(order: MailedOrder): MailBlock[] {
  const { number, shop, upiId } = order;
  const amountPaise = duePaise(order);
  return [
    payment(`By UPI to ${upiId}`, order),
    {
      kind: "qr",
      label: `Pay ${formatPaise(amountPaise)} by UPI`,
      url: upiLink({ upiId, shopName: shop.name, amountPaise, orderNumber: number }),
    },
    paragraph(
      "Scan the code with a UPI app, or open the link on your phone. We cannot see payments: the shop checks for yours and then marks the order as paid.",
    ),
  ];
}

function payment(how: string, order: MailedOrder): Facts {
  const { totalPaise, paidPaise, refundedPaise } = order;
  const due = duePaise(order);
  const isPart = due > 0 && due < totalPaise;
  return {
    kind: "facts",
    title: "Payment",
    facts: [
      { label: "How", value: how },
      { label: "Amount", value: formatPaise(totalPaise) },
      ...(isPart || refundedPaise > 0
        ? [{ label: "Paid", value: formatPaise(paidPaise + refundedPaise) }]
        : []),
      ...(refundedPaise > 0 ? [{ label: "Refunded", value: formatPaise(refundedPaise) }] : []),
      ...(isPart ? [{ label: "Left to pay", value: formatPaise(due) }] : []),
    ],
  };
}

/** A sentence about what the shop must give back, with a space before it; empty if that is nothing. */
export function refundText(order: MailedOrder): string {
  const refundPaise = refundDuePaise(order);
  return refundPaise > 0 ? ` The shop will refund you ${formatPaise(refundPaise)}.` : "";
}

export const ASK_SHOP = "Reply to this email to reach the shop.";

/** Footer that says why the student gets this mail. */
const ORDER_FOOTER = "You are receiving this email because you placed an order with this address.";
/** Footer of mails that can be switched off. */
export const OPTIONAL_MAIL_FOOTER = `${ORDER_FOOTER} You can choose in Settings which emails you get.`;

/** Footer that says why the shop gets this mail. */
export function shopFooter(shop: { name: string }): string {
  return `You are receiving this email because ${shop.name} takes orders at Print Store.`;
}

/** A mail about an order. `footer` takes the place of the usual one. */
export type OrderMail = Pick<Mail, "kind" | "subject"> & { blocks: MailBlock[]; footer?: string };

/** Where a student's reply goes: the e-mail that the shop shows only while none is confirmed. */
export function replyToShop({ shop, shopMailbox }: MailedOrder): string {
  return shopMailbox || shop.email;
}

/** A mail to the student, whose reply goes to the shop. */
export function studentMail(order: MailedOrder, mail: OrderMail): Mail {
  return plainMail({ to: order.student.email, replyTo: replyToShop(order), footer: ORDER_FOOTER, ...mail });
}

/** A mail to the shop, whose reply goes to the student. */
export function shopMail({ student, shop, shopMailbox }: MailedOrder, mail: OrderMail): Mail {
  return plainMail({ to: shopMailbox, replyTo: student.email, footer: shopFooter(shop), ...mail });
}

/** Queues a mail to the shop, unless no e-mail of it is confirmed: then only the console tells it. */
export async function queueShopMail(trx: Trx, deps: Pick<Deps, "now">, mail: Mail): Promise<void> {
  if (mail.to !== "") await queueMail(trx, deps, mail);
}

/** Links to the order in the console. */
export function consoleButton(publicUrl: string, orderId: string): Button {
  return { kind: "button", label: "Open the order", url: `${publicUrl}/admin/orders?order=${orderId}` };
}

/** Links to the order's page, which the student can open when logged in. */
export function orderButton(url: string): Button {
  return { kind: "button", label: "See your order", url };
}

/** The end of a mail about a cancelled order. A free reprint is ordered again on the page of its original. */
export function cancelledBlocks({ original, orderUrl }: MailedOrder): MailBlock[] {
  if (original === null) return [orderButton(orderUrl)];
  const { number, url } = original;
  return [
    paragraph(`Your free reprint is still available: order it again on the page of order ${number}.`),
    { kind: "button", label: `Open order ${number}`, url },
  ];
}
