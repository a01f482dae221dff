import type { Mail } from "../mail/mail.service.ts";
import { composeMail } from "../mail/mail.template.ts";
import type { MovedOrder } from "./queue.move-queries.ts";

/** What the student reads when the shop cancels: why, what became of the files, and whom to ask. */
export function cancelledOrderMail({ number, shop, student }: MovedOrder, reason: string): Mail {
  const content = composeMail({
    title: `Order ${number} is cancelled`,
    blocks: [
      { kind: "paragraph", text: `Hello ${student.fullName}, ${shop.name} has cancelled your order.` },
      { kind: "facts", title: "Why", facts: [{ label: "The shop writes", value: reason }] },
      {
        kind: "paragraph",
        text: "Nothing will be printed and the files of this order are deleted. If you place the order again, please upload them again. Answer this mail to reach the shop.",
      },
    ],
    footer: "You get this mail because you placed an order with this address.",
  });
  return {
    kind: "order-cancelled",
    to: student.email,
    replyTo: shop.email,
    subject: `Order ${number} is cancelled`,
    ...content,
  };
}
