import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import { counted, formatBytes } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { agreedJobs, commonFacts, type OrderJob, pagesFact, partFacts } from "#shared/order-jobs.ts";
import type { Quote } from "#shared/pricing.ts";
import { chosenPagesText, countPrinted } from "#shared/print-pages.ts";
import type { Context, Uploader } from "../context.ts";
import { fileUrl, signFileUrl } from "../files/file-links.ts";
import { type Facts, type Links, type MailBlock, paragraph } from "../mail/blocks.ts";
import { type Mail, queueMail } from "../mail/mail.service.ts";
import { claimStateMail } from "./board/moves.mails.ts";
import {
  ASK_SHOP,
  destination,
  type MailedOrder,
  mailedOrder,
  OPTIONAL_MAIL_FOOTER,
  orderButton,
  paymentBlocks,
  prices,
  queueShopMail,
  replyToShop,
  shopFooter,
} from "./mail-content.ts";
import type { ChosenFile } from "./placement/chosen-pages.ts";

/** The data of the two mails of a new order: order data and order value, as the contract says. */
export interface NewOrderMail extends MailedOrder {
  student: MailedOrder["student"] & { phone: string };
  quote: Quote;
  jobs: readonly OrderJob[];
  /** When the signed links expire; ISO 8601 in UTC. */
  signedUntil: string;
  files: OrderMailFile[];
}

interface OrderMailFile {
  name: string;
  pages: number;
  /** The pages to print, such as `1-10, 15`; null for all. */
  pageRanges: string | null;
  bytes: number;
  /** URL that only the logged-in owner can open. */
  url: string;
  /** URL that works without a login until `signedUntil`. */
  signedUrl: string;
}

export function orderMails(facts: NewOrderMail): { student: Mail; shop: Mail } {
  return { student: studentOrderMail(facts), shop: shopOrderMail(facts) };
}

/** Mail to the student: everything that was ordered, at which shop, and the price. */
function studentOrderMail(facts: NewOrderMail): Mail {
  const { number, shop, student } = facts;
  const intro = `Hello ${student.fullName}, your order is placed. ${shop.name} will print it. ${ASK_SHOP}`;
  const blocks = orderBlocks(facts, (file) => file.url);
  return {
    kind: "order-student",
    to: student.email,
    replyTo: replyToShop(facts),
    subject: `Order ${subjectOf(facts)}`,
    content: {
      title: `Order ${number}`,
      blocks: [paragraph(intro), orderButton(facts.orderUrl), ...paymentBlocks(facts), ...blocks],
      footer: OPTIONAL_MAIL_FOOTER,
    },
  };
}

/** Mail to the shop: the job, the student, the destination, and links to the files that work without a login. */
function shopOrderMail(facts: NewOrderMail): Mail {
  const { number, shop, student } = facts;
  const intro = `${student.fullName} placed an order at ${shop.name}. Reply to this email to reach the student. The links open the files without a login until ${indianTime(facts.signedUntil)} or until the files are deleted, so please do not share them.`;
  return {
    kind: "order-shop",
    to: facts.shopMailbox,
    replyTo: student.email,
    subject: `New order ${subjectOf(facts)}`,
    content: {
      title: `New order ${number}`,
      blocks: [paragraph(intro), ...orderBlocks(facts, (file) => file.signedUrl)],
      footer: shopFooter(shop),
    },
  };
}

/** Such as `K7M4-Q2XD: 32 pages × 2, ₹145.00`. */
function subjectOf({ number, pages, copies, quote }: NewOrderMail): string {
  return `${number}: ${counted(pages, "page")} × ${copies}, ${formatPaise(quote.totalPaise)}`;
}

/** What was ordered, by whom and where. The student's mail has other URLs of the files than the shop's. */
function orderBlocks(order: NewOrderMail, fileUrl: (file: OrderMailFile) => string): MailBlock[] {
  return [
    job(order),
    files(order, fileUrl),
    prices(order.quote),
    ...destination(order),
    student(order),
    shop(order),
  ];
}

function job(order: NewOrderMail): Facts {
  const { number, original, placedAt, promisedAt, files, pages, copies, quote, message } = order;
  return {
    kind: "facts",
    title: "Print job",
    facts: [
      { label: "Order", value: number },
      ...(original ? [{ label: "Reprint of", value: `order ${original.number}, at no charge` }] : []),
      { label: "Placed", value: indianTime(placedAt) },
      ...(promisedAt ? [{ label: "Ready by", value: indianTime(promisedAt) }] : []),
      pagesFact(countPrinted(files), pages),
      { label: "Number of copies", value: String(copies) },
      ...commonFacts(order),
      ...partFacts(order),
      { label: "Sheets of paper", value: String(quote.sheets) },
      { label: "Message", value: message || "None" },
    ],
  };
}

function files({ files }: NewOrderMail, fileUrl: (file: OrderMailFile) => string): Links {
  return {
    kind: "links",
    title: counted(files.length, "file"),
    links: files.map((file) => ({
      label: file.name,
      url: fileUrl(file),
      note: `${chosenPagesText(file)}, ${formatBytes(file.bytes)}`,
    })),
  };
}

function student({ student }: NewOrderMail): Facts {
  return {
    kind: "facts",
    title: "Student",
    facts: [
      { label: "Name", value: student.fullName },
      { label: "Email", value: student.email },
      { label: "Phone", value: student.phone },
    ],
  };
}

function shop({ shop }: NewOrderMail): Facts {
  return {
    kind: "facts",
    title: "Shop",
    facts: [
      { label: "Name", value: shop.name },
      { label: "Location", value: shop.location },
      { label: "Email", value: shop.email },
      { label: "Contact number", value: shop.contactNumber || "None" },
    ],
  };
}

/** Lifetime of the file links in the shop's mail; after that staff open the files in the console. */
const LINK_LIFETIME_MS = 7 * DAY_MS;

/** A new order with the data that its mails need. */
interface PlacedOrderData {
  order: OrderTable;
  quote: Quote;
  /** Of the shop, as in OrderRow. */
  upiId: string;
  shopMailbox: string;
  files: ChosenFile[];
  /** Number of the order that this one reprints. */
  reprintOf?: string | undefined;
}

/**
 * Queues the mails of a new order: to its shop, and to the student unless they switched such mails off. None at the counter,
 * where the shop has its board and the person stands in front of it.
 */
export async function queueOrderMails(
  trx: Trx,
  ctx: Context<Uploader>,
  placed: PlacedOrderData,
): Promise<void> {
  if (placed.order.fulfilment === "counter") return;
  const isTold = await claimStateMail(trx, ctx, placed.order, "placed");
  const { student, shop } = orderMails(mailFacts(ctx, placed));
  if (isTold) await queueMail(trx, ctx, student);
  await queueShopMail(trx, ctx, shop);
}

function mailFacts(
  ctx: Context<Uploader>,
  { order, quote, upiId, shopMailbox, files, reprintOf }: PlacedOrderData,
): NewOrderMail {
  const linkExpiry = new Date(ctx.now().getTime() + LINK_LIFETIME_MS);
  const { fullName, email, phone } = ctx.actor.user;
  return {
    ...mailedOrder(ctx, {
      ...order,
      upiId,
      studentName: fullName,
      shownEmail: order.shop_email,
      shopMailbox,
      originalNumber: reprintOf ?? null,
    }),
    student: { fullName, email, phone },
    quote,
    jobs: agreedJobs(order, files),
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
