import { counted } from "#shared/counted.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import type { MailBlock } from "../mail/mail.blocks.ts";
import type { Mail } from "../mail/mail.service.ts";
import { orderBlocks } from "./orders.mail-blocks.ts";
import type { OrderMailFacts, OrderMailFile } from "./orders.mail-facts.ts";
import { type PayableMail, paymentBlocks } from "./orders.mail-payment.ts";
import { BECAUSE_ORDERED, CHOOSE_MAILS, orderButton } from "./orders.mail-words.ts";

/** What the student reads: everything that was ordered, from whom, and what it costs. */
export function studentOrderMail(facts: OrderMailFacts): Mail {
  const { number, shop, student } = facts;
  const intro = `Hello ${student.fullName}, your order is placed. ${shop.name} prints it; answer this mail to reach the shop.`;
  return orderMail("order-student", facts, {
    to: student.email,
    replyTo: shop.email,
    subject: `Order ${subjectOf(facts)}`,
    title: `Order ${number}`,
    intro,
    fileUrl: (file) => file.url,
    first: [orderButton(facts.orderUrl), ...paymentBlocks(placed(facts))],
    footer: `${BECAUSE_ORDERED} ${CHOOSE_MAILS}`,
  });
}

/** What the shop reads: the job, the student, where it goes, and links to the files that work without a login. */
export function shopOrderMail(facts: OrderMailFacts): Mail {
  const { number, shop, student } = facts;
  const intro = `${student.fullName} placed an order at ${shop.name}. Answer this mail to reach the student. The links open the files without a login until ${indianTime(facts.signedUntil)}, so please do not pass them on.`;
  return orderMail("order-shop", facts, {
    to: shop.email,
    replyTo: student.email,
    subject: `New order ${subjectOf(facts)}`,
    title: `New order ${number}`,
    intro,
    fileUrl: (file) => file.signedUrl,
    first: [],
    footer: `You get this mail because ${shop.name} takes orders at Print Store.`,
  });
}

function placed({ quote, ...facts }: OrderMailFacts): PayableMail {
  return { ...facts, totalPaise: quote.totalPaise, state: "placed", paidAt: null };
}

interface Wording {
  to: string;
  replyTo: string;
  subject: string;
  title: string;
  intro: string;
  fileUrl: (file: OrderMailFile) => string;
  /** What stands before the order itself. */
  first: MailBlock[];
  footer: string;
}

function orderMail(kind: string, facts: OrderMailFacts, wording: Wording): Mail {
  const { to, replyTo, subject, title, intro, fileUrl, first, footer } = wording;
  const blocks: MailBlock[] = [{ kind: "paragraph", text: intro }, ...first, ...orderBlocks(facts, fileUrl)];
  return { kind, to, replyTo, subject, content: { title, blocks, footer } };
}

/** Such as `K7M4-Q2XD: 32 pages × 2, ₹145.00`. */
function subjectOf({ number, pages, copies, quote }: OrderMailFacts): string {
  return `${number}: ${counted(pages, "page")} × ${copies}, ${formatPaise(quote.totalPaise)}`;
}
