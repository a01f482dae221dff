import { counted } from "#shared/counted.ts";
import { formatPaise } from "#shared/money.ts";
import type { MailBlock } from "../mail/mail.blocks.ts";
import type { Mail } from "../mail/mail.service.ts";
import { destination } from "./orders.mail-blocks.ts";
import { paymentBlocks } from "./orders.mail-payment.ts";
import { BECAUSE_ORDERED, CHOOSE_MAILS, orderButton } from "./orders.mail-words.ts";
import type { MailedOrder } from "./orders.state-mail-queries.ts";

/** `orderUrl` is where the student sees the order. */
export type ToldOrder = MailedOrder & { orderUrl: string };

const ASK_SHOP = "Answer this mail to reach the shop.";

/** What the student reads when the prints have left the shop. */
export function dispatchedMail(order: ToldOrder): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-dispatched",
    title: `Order ${number} is on its way`,
    blocks: [
      paragraph(
        `Hello ${student.fullName}, ${shop.name} has printed your order and sent it on its way to you.`,
      ),
      ...job(order),
      ...destination(order),
      ...paymentBlocks(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** What the student reads when the prints can be fetched: where, the code that the shop asks for, and how to pay. */
export function readyMail(order: ToldOrder): Mail {
  const { number, shop, student, pickupCode } = order;
  return stateMail(order, {
    kind: "order-ready",
    title: `Order ${number} is ready`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} has printed your order. You can pick it up now.`),
      paragraph("The shop asks for your pickup code:"),
      { kind: "code", code: pickupCode ?? "" },
      ...job(order),
      ...destination(order),
      ...paymentBlocks(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** What the student reads when the shop takes back that the prints can be fetched. */
export function notReadyMail(order: ToldOrder): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-not-ready",
    title: `Order ${number} is not ready yet`,
    blocks: [
      paragraph(
        `Hello ${student.fullName}, ${shop.name} has to print your order once more. Please wait with fetching it: you get another mail when it is ready.`,
      ),
      ...job(order),
      paragraph(ASK_SHOP),
    ],
  });
}

/** What the student reads when the prints are theirs: also what to do when something is wrong with them. */
export function deliveredMail(order: ToldOrder): Mail {
  const { number, shop, student, fulfilment } = order;
  const pickedUp = fulfilment === "pickup";
  const intro = pickedUp ? "you have picked up your order" : "your order is delivered";
  return stateMail(order, {
    kind: "order-delivered",
    title: `Order ${number} is ${pickedUp ? "picked up" : "delivered"}`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} tells us that ${intro}.`),
      ...job(order),
      paragraph(
        `If something is printed wrongly, tell the shop within 3 days on the page of your order, and it is printed again. ${ASK_SHOP}`,
      ),
    ],
  });
}

/** What the student reads when the shop cancels: why, what became of the files, and whom to ask. */
export function cancelledMail(order: ToldOrder, reason: string): Mail {
  const { number, shop, student } = order;
  return stateMail(order, {
    kind: "order-cancelled",
    title: `Order ${number} is cancelled`,
    blocks: [
      paragraph(`Hello ${student.fullName}, ${shop.name} has cancelled your order.`),
      { kind: "facts", title: "Why", facts: [{ label: "The shop writes", value: reason }] },
      paragraph(
        `Nothing will be printed and the files of this order are deleted. If you place the order again, please upload them again. ${ASK_SHOP}`,
      ),
      orderButton(order.orderUrl),
    ],
    footer: BECAUSE_ORDERED,
  });
}

interface Wording {
  kind: string;
  title: string;
  blocks: MailBlock[];
  /** Other than that the mail can be switched off. */
  footer?: string;
}

function stateMail(
  { shop, student }: ToldOrder,
  { kind, title, blocks, footer = `${BECAUSE_ORDERED} ${CHOOSE_MAILS}` }: Wording,
): Mail {
  const content = { title, blocks, footer };
  return { kind, to: student.email, replyTo: shop.email, subject: title, content };
}

function paragraph(text: string): MailBlock {
  return { kind: "paragraph", text };
}

/** What the order is, and where to see all of it. */
function job({ number, shop, pages, copies, totalPaise, orderUrl }: ToldOrder): MailBlock[] {
  const facts = [
    { label: "Order", value: number },
    { label: "Shop", value: shop.name },
    { label: "Print job", value: `${counted(pages, "page")} × ${counted(copies, "copy")}` },
    { label: "Order total", value: formatPaise(totalPaise) },
  ];
  return [{ kind: "facts", title: "Your order", facts }, orderButton(orderUrl)];
}
