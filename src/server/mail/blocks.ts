import { z } from "zod";

export type Paragraph = z.infer<typeof paragraphBlock>;
const paragraphBlock = z.object({ kind: z.literal("paragraph"), text: z.string() });

/** A code to be typed in elsewhere. */
export type Code = z.infer<typeof code>;
const code = z.object({ kind: z.literal("code"), code: z.string() });

export type Button = z.infer<typeof button>;
const button = z.object({ kind: z.literal("button"), label: z.string(), url: z.string() });

/** A button that is also shown as a QR code, for another device. */
export type QrLink = z.infer<typeof qrLink>;
const qrLink = z.object({ kind: z.literal("qr"), label: z.string(), url: z.string() });

export type Facts = z.infer<typeof facts>;
const facts = z.object({
  kind: z.literal("facts"),
  title: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
});

export type Links = z.infer<typeof links>;
const links = z.object({
  kind: z.literal("links"),
  title: z.string(),
  links: z.array(z.object({ label: z.string(), url: z.string(), note: z.string() })),
});

export type Prices = z.infer<typeof prices>;
const prices = z.object({
  kind: z.literal("prices"),
  title: z.string(),
  prices: z.array(
    z.object({
      label: z.string(),
      note: z.string().optional(),
      amountPaise: z.int(),
      isTotal: z.boolean().optional(),
    }),
  ),
});

export type MailBlock = z.infer<typeof mailBlock>;
const mailBlock = z.discriminatedUnion("kind", [paragraphBlock, code, button, qrLink, facts, links, prices]);

/**
 * The content of a mail without its layout; both parts are rendered from it when it is sent or shown. Any text in it
 * may be hostile. Mails from earlier versions may still be in the outbox, so this format must stay readable.
 */
export type MailContent = z.infer<typeof mailContent>;
export const mailContent = z.object({
  title: z.string(),
  blocks: z.array(mailBlock),
  /** Why the person receives this mail. */
  footer: z.string(),
});

export function paragraph(text: string): Paragraph {
  return { kind: "paragraph", text };
}

/** Control characters and marks that reverse the reading direction, which could disguise a file's name. */
const INVISIBLE = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
const LINE_BREAK = /\r\n|[\r\n\v\f\u0085\u2028\u2029]/g;

/** The lines of a text, without invisible characters. */
export function visibleLines(text: string): string[] {
  return text.split(LINE_BREAK).map((line) => line.replace(INVISIBLE, ""));
}

const MAX_LINE = 200;

/** The text on one line of at most MAX_LINE characters; safe as a mail header. */
export function oneLine(text: string): string {
  const line = visibleLines(text).join(" ").replace(/\s+/g, " ").trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1).trimEnd()}…` : line;
}
