import { formatPaise } from "#shared/money.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { PriceLine, Quote } from "#shared/pricing.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import type { Facts, Links, MailBlock, Prices } from "../mail/mail.blocks.ts";
import type { Mail } from "../mail/mail.service.ts";
import { composeMail } from "../mail/mail.template.ts";

/** All that the two mails of an order tell: the contract's order data and order value, and who is who. */
export interface OrderMailFacts {
  /** What people call the order, such as K7M4-Q2XD. */
  number: string;
  /** ISO 8601 in UTC. */
  placedAt: string;
  shop: { name: string; location: string; email: string; contactNumber: string };
  student: { fullName: string; email: string; phone: string };
  pages: number;
  copies: number;
  quote: Quote;
  message: string;
  address: DeliveryAddress | null;
  files: OrderMailFile[];
}

export interface OrderMailFile {
  name: string;
  pages: number;
  bytes: number;
  /** The store's own URL, which its owner opens when logged in. */
  url: string;
  /** A link with an expiry that opens without a login. */
  signedUrl: string;
}

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
    footer: "You get this mail because you placed an order with this address.",
  });
}

/** What the shop reads: the job, the student, where it goes, and links to the files that work without a login. */
export function shopOrderMail(facts: OrderMailFacts): Mail {
  const { number, shop, student } = facts;
  const intro = `${student.fullName} placed an order at ${shop.name}. Answer this mail to reach the student. The links open the files without a login, so please do not pass them on.`;
  return orderMail("order-shop", facts, {
    to: shop.email,
    replyTo: student.email,
    subject: `New order ${subjectOf(facts)}`,
    title: `New order ${number}`,
    intro,
    fileUrl: (file) => file.signedUrl,
    footer: `You get this mail because ${shop.name} takes orders at Print Store.`,
  });
}

interface Wording {
  to: string;
  replyTo: string;
  subject: string;
  title: string;
  intro: string;
  fileUrl: (file: OrderMailFile) => string;
  footer: string;
}

function orderMail(kind: string, facts: OrderMailFacts, wording: Wording): Mail {
  const { to, replyTo, subject, title, intro, fileUrl, footer } = wording;
  const blocks: MailBlock[] = [
    { kind: "paragraph", text: intro },
    job(facts),
    files(facts, fileUrl),
    prices(facts.quote),
    ...(facts.address ? [delivery(facts.address)] : []),
    student(facts),
    shop(facts),
  ];
  return { kind, to, replyTo, subject, ...composeMail({ title, blocks, footer }) };
}

/** Such as `K7M4-Q2XD: 32 pages × 2, ₹145.00`. */
function subjectOf({ number, pages, copies, quote }: OrderMailFacts): string {
  return `${number}: ${counted(pages, "page")} × ${copies}, ${formatPaise(quote.totalPaise)}`;
}

function job({ number, placedAt, pages, copies, quote, message }: OrderMailFacts): Facts {
  return {
    kind: "facts",
    title: "Print job",
    facts: [
      { label: "Order", value: number },
      { label: "Placed", value: `${PLACED_FORMAT.format(new Date(placedAt))} IST` },
      { label: "Number of pages", value: String(pages) },
      { label: "Number of copies", value: String(copies) },
      ...quote.lines.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, value: name })),
      { label: "Sheets of paper", value: String(quote.sheets) },
      { label: "Message", value: message || "None" },
    ],
  };
}

function files({ files }: OrderMailFacts, fileUrl: (file: OrderMailFile) => string): Links {
  return {
    kind: "links",
    title: counted(files.length, "file"),
    links: files.map((file) => ({
      label: file.name,
      url: fileUrl(file),
      note: `${counted(file.pages, "page")}, ${fileSize(file.bytes)}`,
    })),
  };
}

function prices(quote: Quote): Prices {
  const rounding = quote.roundingPaise
    ? [{ label: "Rounded up to whole rupees", amountPaise: quote.roundingPaise }]
    : [];
  return {
    kind: "prices",
    title: "Price",
    prices: [
      ...quote.lines.map((line) => ({
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

function student({ student }: OrderMailFacts): Facts {
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

function shop({ shop }: OrderMailFacts): Facts {
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

/** Such as `₹1.50 × 64 pages`. */
function calculation({ unitPaise, basis, quantity }: PriceLine): string {
  return basis === "order"
    ? `${formatPaise(unitPaise)} once`
    : `${formatPaise(unitPaise)} × ${counted(quantity, basis)}`;
}

const PLACED_FORMAT = new Intl.DateTimeFormat("en-IN", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "Asia/Kolkata",
});
const COUNT_FORMAT = new Intl.NumberFormat("en-IN");
const MEGABYTE_FORMAT = new Intl.NumberFormat("en-IN", {
  style: "unit",
  unit: "megabyte",
  maximumFractionDigits: 1,
});
const KILOBYTE_FORMAT = new Intl.NumberFormat("en-IN", { style: "unit", unit: "kilobyte" });

function counted(count: number, noun: string): string {
  if (noun === "copy" && count !== 1) return `${COUNT_FORMAT.format(count)} copies`;
  return `${COUNT_FORMAT.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

function fileSize(bytes: number): string {
  if (bytes >= 1e6) return MEGABYTE_FORMAT.format(bytes / 1e6);
  return KILOBYTE_FORMAT.format(Math.ceil(bytes / 1000));
}
