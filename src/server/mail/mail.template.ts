import { createHash } from "node:crypto";
import type { MailContent } from "./mail.blocks.ts";
import { renderHtml } from "./mail.html.ts";
import { MAIL_STYLE } from "./mail.look.ts";
import { type MailQrCode, qrCodesOf } from "./mail.qr-codes.ts";
import { renderText } from "./mail.text.ts";

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
