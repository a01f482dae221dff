import type { OutboxTable } from "#db/schema.ts";
import type { MailContent } from "#server/mail/blocks.ts";
import { toParts } from "#server/mail/rendering.ts";
import type { NewOrderMail } from "#server/orders/orders.mails.ts";
import { priceJob } from "#shared/pricing.ts";
import type { TestStore } from "../setup/test-store.ts";

/** The mails to this address, newest first, with both rendered parts. */
export async function mailsTo(store: TestStore, email: string) {
  const rows = await store.deps.readDb
    .selectFrom("outbox")
    .selectAll()
    .where("recipient", "=", email)
    .orderBy("created_at", "desc")
    .execute();
  return rows.map(withParts);
}

/** A row of the outbox with the rendered parts of its mail. */
export function withParts(row: OutboxTable) {
  return { ...row, ...toParts(row.content) };
}

/** A mail with one paragraph. */
export function mailSaying(text: string): MailContent {
  return { title: "Print Store", blocks: [{ kind: "paragraph", text }], footer: "You print here." };
}

/** A mail with every kind of block and this text wherever a block takes one. */
export function everyBlock(text: string): MailContent {
  return {
    title: text,
    blocks: [
      { kind: "paragraph", text },
      { kind: "code", code: text },
      { kind: "button", label: text, url: `https://store.example/?q=${encodeURIComponent(text)}` },
      { kind: "qr", label: text, url: "upi://pay?pa=a@b" },
      { kind: "facts", title: text, facts: [{ label: "Name", value: text }] },
      { kind: "links", title: text, links: [{ label: text, url: "https://store.example/f", note: text }] },
      { kind: "prices", title: text, prices: [{ label: text, note: text, amountPaise: 12_345_600 }] },
    ],
    footer: text,
  };
}

/** The path of the undo link in the newest mail to this address about a changed payment address. */
export async function undoLinkTo(store: TestStore, email: string): Promise<string> {
  return newestLink(store, email, /\/payment-address\?token=[\w.-]+/);
}

/** The path of the link in the newest mail to this address that confirms it as a shop's. */
export async function shopEmailLink(store: TestStore, email: string): Promise<string> {
  return newestLink(store, email, /\/shop-email\?token=[\w.-]+/);
}

/** Opens that link and presses its button. */
export async function confirmShopEmail(store: TestStore, email: string): Promise<void> {
  const { status } = await store.visitor().send("POST", await shopEmailLink(store, email));
  if (status !== 200) throw new Error(`Answered ${status} to the link mailed to ${email}`);
}

async function newestLink(store: TestStore, email: string, link: RegExp): Promise<string> {
  for (const { text } of await mailsTo(store, email)) {
    const path = link.exec(text)?.[0];
    if (path) return path;
  }
  throw new Error(`No such link was mailed to ${email}: ${link}`);
}

/** The data of an order mail: 32 pages, two copies, with a fraction of a rupee to round. */
export function orderMailFacts(changes: Partial<NewOrderMail> = {}): NewOrderMail {
  const options = {
    printedColours: { name: "Black & white", pricePaise: 75, basis: "page", sides: 1 },
    printingSides: { name: "Both sides", pricePaise: 10, basis: "page", sides: 2 },
    paperTypes: { name: "70 GSM copier", pricePaise: 20, basis: "sheet", sides: 1 },
    paperSizes: { name: "A4", pricePaise: 0, basis: "page", sides: 1 },
    coverOptions: { name: "Clear film", pricePaise: 1000, basis: "copy", sides: 1 },
    bindingOptions: { name: "Spiral", pricePaise: 3025, basis: "order", sides: 1 },
  } as const;
  const quote = priceJob({ pages: 32, copies: 2, options });
  return {
    id: "one",
    number: "K7M4-Q2XD",
    state: "placed",
    orderUrl: "https://print-store.example/orders/one",
    original: null,
    placedAt: "2026-11-21T09:30:00.000Z",
    promisedAt: null,
    shopMailbox: "shop@campus.example",
    shop: {
      id: "campus-print",
      name: "Campus Print",
      location: "Gate 2, Phagwara",
      email: "shop@campus.example",
      contactNumber: "9811122233",
    },
    student: { fullName: "Asha Verma", email: "asha@college.example", phone: "9876543210" },
    pages: 32,
    copies: 2,
    jobs: [],
    quote,
    totalPaise: quote.totalPaise,
    message: "Only pages 1 to 32",
    fulfilment: "delivery",
    upiId: "",
    pickupCode: null,
    paidPaise: 0,
    refundedPaise: 0,
    creditedPaise: 0,
    paidAt: null,
    stars: null,
    address: {
      country: "India, Jalandhar",
      roadNo: "Law Gate Road 7",
      flatno: "BH-3 204",
      fullname: "A. Verma",
    },
    signedUntil: "2026-11-28T09:30:00.000Z",
    files: [
      {
        name: "notes.pdf",
        pages: 31,
        pageRanges: null,
        bytes: 1_234_567,
        url: "https://print-store.example/files/one",
        signedUrl: "https://print-store.example/files/one?exp=1&sig=a",
      },
      {
        name: "cover.pdf",
        pages: 1,
        pageRanges: null,
        bytes: 4300,
        url: "https://print-store.example/files/two",
        signedUrl: "https://print-store.example/files/two?exp=1&sig=b",
      },
    ],
    ...changes,
  };
}
