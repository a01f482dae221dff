import { createHash } from "node:crypto";
import type { Attachment, SendMailOptions } from "nodemailer";
import parseAddresses from "nodemailer/lib/addressparser";
import { z } from "zod";
import { formatPaise } from "#shared/money.ts";
import { type MailBlock, type MailContent, mailContent, oneLine, visibleLines } from "./blocks.ts";
import {
  drawQrCode,
  htmlWithQrCodes,
  MAIL_STYLE,
  type MailQrCode,
  mailQrCode,
  qrCodesOf,
  renderHtml,
} from "./html.ts";
import type { MailBody } from "./mail.queries.ts";
import type { OutgoingMail } from "./transport.ts";

/** What a mail program is given to show. */
export interface MailParts {
  text: string;
  html: string;
  /** Those that the HTML part shows. */
  qrCodes: MailQrCode[];
}

/** Both parts of a mail from one content, so that they cannot disagree. Every text in it is escaped. */
export function composeMail(content: MailContent): MailParts {
  return { text: renderText(content), html: renderHtml(content), qrCodes: qrCodesOf(content) };
}

/** By what a page's content policy knows the style tag of a mail that is shown in it. */
export const MAIL_STYLE_SOURCE = `'sha256-${createHash("sha256").update(MAIL_STYLE).digest("base64")}'`;

const EMPTY: MailBody = { content: null, text: "", html: "", images: null };

/** What is kept of a mail that says this. */
export function toBody(content: MailContent): MailBody {
  return { ...EMPTY, content: JSON.stringify(content) };
}

/** Whether nothing is kept of it, as of a secret mail with which nothing more is done. */
export function isErased({ content, text, html }: MailBody): boolean {
  return content === null && text === "" && html === "";
}

/** What the recipient gets. Throws where the content is none. */
export function partsOf({ content, text, html, images }: MailBody): MailParts {
  if (content !== null) return composeMail(parseContent(content));
  return { text, html, qrCodes: images === null ? [] : z.array(mailQrCode).parse(JSON.parse(images)) };
}

/** The same as a page can show it, which has no attachments. */
export async function shownPartsOf(body: MailBody): Promise<{ text: string; html: string }> {
  const { text, ...shown } = partsOf(body);
  return { text, html: await htmlWithQrCodes(shown) };
}

/** The text part alone. Throws where the content is none. */
export function textOf({ content, text }: MailBody): string {
  return content === null ? text : renderText(parseContent(content));
}

function parseContent(json: string): MailContent {
  return mailContent.parse(JSON.parse(json));
}

/**
 * The message of an outbox mail, the same on every try: a repeat after a crash has the same Message-ID and date,
 * by which mail servers and people recognise it.
 */
export async function toMessage(mail: OutgoingMail, from: string): Promise<SendMailOptions> {
  return {
    messageId: `<${mail.id}@${senderDomain(from)}>`,
    date: new Date(mail.createdAt),
    from,
    to: { name: "", address: mail.to },
    replyTo: mail.replyTo ? { name: "", address: mail.replyTo } : undefined,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: await Promise.all(mail.qrCodes.map(toAttachment)),
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

async function toAttachment(code: MailQrCode, index: number): Promise<Attachment> {
  const filename = `qr-code-${index + 1}.png`;
  return { cid: code.cid, filename, content: await drawQrCode(code), contentDisposition: "inline" };
}

function senderDomain(from: string): string {
  const [sender] = parseAddresses(from, { flatten: true });
  return sender?.address?.split("@").at(-1) || "print-store.invalid";
}

/** The plain-text part of a mail. */
function renderText({ title, blocks, footer }: MailContent): string {
  return `${[heading(title, "="), ...blocks.map(renderBlock), `Print Store: ${indented(footer)}`].join("\n\n")}\n`;
}

function renderBlock(block: MailBlock): string {
  switch (block.kind) {
    case "paragraph":
      return indented(block.text);
    case "code":
      return `    ${oneLine(block.code)}`;
    case "button":
    case "qr":
      return `${oneLine(block.label)}:\n${block.url}`;
    case "facts":
      return section(
        block.title,
        block.facts.map(({ label, value }) => `${oneLine(label)}: ${indented(value)}`),
      );
    case "links":
      return section(
        block.title,
        block.links.map(({ label, url, note }) => `- ${indented(label)} (${oneLine(note)})\n  ${url}`),
      );
    case "prices":
      return section(
        block.title,
        block.prices.map(
          ({ label, note, amountPaise }) =>
            `${oneLine(label)}${note ? ` (${oneLine(note)})` : ""}: ${formatPaise(amountPaise)}`,
        ),
      );
  }
}

function section(title: string, lines: string[]): string {
  return [heading(title, "-"), ...lines].join("\n");
}

function heading(title: string, underline: string): string {
  const line = oneLine(title);
  return `${line}\n${underline.repeat(line.length)}`;
}

/** Further lines are set in, so that nobody's text can pose as a line of ours. */
function indented(text: string): string {
  return visibleLines(text).join("\n    ");
}
