import { formatPaise } from "#shared/money.ts";
import { PAYMENT_NAMES, type PayableOrder, paymentStatus, upiLink } from "#shared/payment.ts";
import type { Facts, MailBlock } from "../mail/mail.blocks.ts";

/** What of an order decides how its student is asked to pay. */
export interface PayableMail extends Omit<PayableOrder, "takesUpi"> {
  number: string;
  shop: { name: string };
  /** Where its shop takes UPI; empty where it does not. */
  upiId: string;
}

/** How the order is paid, by UPI with everything filled in; nothing where nobody asks for money. */
export function paymentBlocks(order: PayableMail): MailBlock[] {
  const status = paymentStatus({ ...order, takesUpi: order.upiId !== "" });
  switch (status) {
    case "upi":
      return upiBlocks(order);
    case "on delivery":
    case "on pickup":
      return [payment(PAYMENT_NAMES[status], order)];
    case "paid":
      return [payment("Marked as paid by the shop", order)];
    case "void":
      return [];
  }
}

function upiBlocks(order: PayableMail): MailBlock[] {
  const { number, shop, upiId, totalPaise } = order;
  return [
    payment(`By UPI to ${upiId}`, order),
    {
      kind: "qr",
      label: `Pay ${formatPaise(totalPaise)} by UPI`,
      url: upiLink({ upiId, shopName: shop.name, amountPaise: totalPaise, orderNumber: number }),
    },
    {
      kind: "paragraph",
      text: "Scan the code with a UPI app, or open the link on your phone. We cannot see whether a payment arrived: the shop looks for it, and then marks the order as paid.",
    },
  ];
}

function payment(how: string, { totalPaise }: PayableMail): Facts {
  return {
    kind: "facts",
    title: "Payment",
    facts: [
      { label: "How", value: how },
      { label: "Amount", value: formatPaise(totalPaise) },
    ],
  };
}
