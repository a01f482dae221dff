import { counted } from "#shared/counted.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import type { MailBlock } from "../mail/mail.blocks.ts";
import type { Mail } from "../mail/mail.service.ts";
import { orderBlocks } from "./orders.mail-blocks.ts";
import type { OrderMailFacts } from "./orders.mail-facts.ts";
import { type PayableMail, paymentBlocks } from "./orders.mail-payment.ts";
import { BECAUSE_ORDERED, CHOOSE_MAILS, orderButton } from "./orders.mail-words.ts";

/** What the student and what the shop reads of a new order. */
export function orderMails(facts: OrderMailFacts): { student: Mail; shop: Mail } {
  const blocks = orderBlocks(facts);
  return { student: studentOrderMail(facts, blocks), shop: shopOrderMail(facts, blocks) };
}

type Blocks = ReturnType<typeof orderBlocks>;

/** Everything that was ordered, from whom, and what it costs. */
function studentOrderMail(facts: OrderMailFacts, blocks: Blocks): Mail {
  const { number, shop, student } = facts;
  const intro = `Hello ${student.fullName}, your order is placed. ${shop.name} prints it; answer this mail to reach the shop.`;
  return orderMail({
    kind: "order-student",
    to: student.email,
    replyTo: shop.email,
    subject: `Order ${subjectOf(facts)}`,
    title: `Order ${number}`,
    intro,
    blocks: [orderButton(facts.orderUrl), ...paymentBlocks(placed(facts)), ...blocks((file) => file.url)],
    footer: `${BECAUSE_ORDERED} ${CHOOSE_MAILS}`,
  });
}

/** The job, the student, where it goes, and links to the files that work without a login. */
function shopOrderMail(facts: OrderMailFacts, blocks: Blocks): Mail {
  const { number, shop, student } = facts;
  const intro = `${student.fullName} placed an order at ${shop.name}. Answer this mail to reach the student. The links open the files without a login until ${indianTime(facts.signedUntil)}, so please do not pass them on.`;
  return orderMail({
    kind: "order-shop",
    to: shop.email,
    replyTo: student.email,
    subject: `New order ${subjectOf(facts)}`,
    title: `New order ${number}`,
    intro,
    blocks: blocks((file) => file.signedUrl),
    footer: `You get this mail because ${shop.name} takes orders at Print Store.`,
  });
}

function placed({ quote, ...facts }: OrderMailFacts): PayableMail {
  return { ...facts, totalPaise: quote.totalPaise, state: "placed", paidAt: null };
}

interface Wording {
  kind: string;
  to: string;
  replyTo: string;
  subject: string;
  title: string;
  intro: string;
  /** What follows the intro. */
  blocks: MailBlock[];
  footer: string;
}

function orderMail({ title, intro, blocks, footer, ...mail }: Wording): Mail {
  return { ...mail, content: { title, blocks: [{ kind: "paragraph", text: intro }, ...blocks], footer } };
}

/** Such as `K7M4-Q2XD: 32 pages × 2, ₹145.00`. */
function subjectOf({ number, pages, copies, quote }: OrderMailFacts): string {
  return `${number}: ${counted(pages, "page")} × ${copies}, ${formatPaise(quote.totalPaise)}`;
}
