import type { OutboxTable } from "#db/schema.ts";
import type { MailContent } from "#server/mail/blocks.ts";
import { toParts } from "#server/mail/rendering.ts";
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
  for (const { text } of await mailsTo(store, email)) {
    const path = /\/payment-address\?token=[\w.-]+/.exec(text)?.[0];
    if (path) return path;
  }
  throw new Error(`No link to undo a payment address was mailed to ${email}`);
}
