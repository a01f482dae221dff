import { createHash } from "node:crypto";
import type { MailContent } from "./mail.blocks.ts";
import { renderHtml } from "./mail.html.ts";
import { MAIL_STYLE } from "./mail.look.ts";
import { qrCodesOf } from "./mail.qr-codes.ts";
import type { MailQrCode } from "./mail.queries.ts";
import { renderText } from "./mail.text.ts";

/** Both parts of a mail from one content, so that they cannot disagree. Every text in it is escaped. */
export function composeMail(content: MailContent): { text: string; html: string; qrCodes: MailQrCode[] } {
  return { text: renderText(content), html: renderHtml(content), qrCodes: qrCodesOf(content) };
}

/** By what a page's content policy knows the style tag of a mail that is shown in it. */
export const MAIL_STYLE_SOURCE = `'sha256-${createHash("sha256").update(MAIL_STYLE).digest("base64")}'`;
