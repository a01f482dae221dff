import type { MailContent } from "./mail.blocks.ts";
import { renderHtml } from "./mail.html.ts";
import { renderText } from "./mail.text.ts";

/** Both parts of a mail from one content, so that they cannot disagree. Every text in it is escaped. */
export function composeMail(content: MailContent): { text: string; html: string } {
  return { text: renderText(content), html: renderHtml(content) };
}
