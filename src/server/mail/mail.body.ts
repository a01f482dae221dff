import { z } from "zod";
import { type MailContent, mailContent } from "./mail.blocks.ts";
import { htmlWithQrCodes, mailQrCode } from "./mail.qr-codes.ts";
import type { MailBody } from "./mail.queries.ts";
import { composeMail, type MailParts } from "./mail.template.ts";
import { renderText } from "./mail.text.ts";

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
