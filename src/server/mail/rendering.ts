import type { Attachment, SendMailOptions } from "nodemailer";
import parseAddresses from "nodemailer/lib/addressparser";
import { formatPaise } from "#shared/money.ts";
import { hashSource } from "../lib/crypto.ts";
import { type MailBlock, type MailContent, mailContent, oneLine, visibleLines } from "./blocks.ts";
import {
  drawQrCode,
  htmlWithPictures,
  LOGO,
  MAIL_STYLE,
  type MailQrCode,
  qrCodesOf,
  renderHtml,
} from "./html.ts";
import type { StoredMail } from "./mail.queries.ts";

/** The rendered mail. */
interface MailParts {
  text: string;
  html: string;
  /** The QR codes in the HTML part. */
  qrCodes: MailQrCode[];
}

export type OutgoingMail = Pick<StoredMail, "id" | "to" | "replyTo" | "subject" | "createdAt"> & MailParts;

/** Renders both parts from the same content, so that they cannot differ. All texts are escaped. */
export function composeMail(content: MailContent): MailParts {
  return { text: renderText(content), html: renderHtml(content), qrCodes: qrCodesOf(content) };
}

/** The CSP source of the style tag in a mail that a page shows. */
export const MAIL_STYLE_SOURCE = hashSource(MAIL_STYLE);

/** The parts of a mail from its stored content; empty once that is erased. Throws when it is invalid. */
export function toParts(content: string | null): MailParts {
  return content === null ? { text: "", html: "", qrCodes: [] } : composeMail(parseContent(content));
}

/** What a web page shows, which has no attachments. */
export async function toPageParts(content: string | null): Promise<{ text: string; html: string }> {
  const { text, ...shown } = toParts(content);
  return { text, html: await htmlWithPictures(shown) };
}

/** The text part alone. */
export function toText(content: string | null): string {
  return content === null ? "" : renderText(parseContent(content));
}

function parseContent(json: string): MailContent {
  return mailContent.parse(JSON.parse(json));
}

/**
 * The message for nodemailer. Every try has the same Message-ID and date, by which mail servers and people recognise a
 * duplicate.
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
    attachments: [LOGO_ATTACHMENT, ...(await Promise.all(mail.qrCodes.map(toAttachment)))],
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const LOGO_ATTACHMENT: Attachment = {
  cid: LOGO.cid,
  filename: "logo.png",
  content: LOGO.png,
  contentDisposition: "inline",
};

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

/** Indents all further lines, so that nobody's text can pass for one of ours. */
function indented(text: string): string {
  return visibleLines(text).join("\n    ");
}
