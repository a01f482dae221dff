import { answerRequests } from "../lib/worker-replies.ts";
import { drawReceipt } from "./receipt.ts";
import { Sheet } from "./sheet.ts";
import type { Drawing, SheetContent } from "./sheets.service.ts";
import { drawSeparator, drawTicket } from "./ticket.ts";

answerRequests<SheetContent, Drawing>({ perform: draw, isExhausted: () => false });

async function draw(content: SheetContent): Promise<Drawing> {
  const sheet = sheetOf(content);
  return { pages: sheet.pages, bytes: await sheet.toBytes() };
}

function sheetOf(content: SheetContent): Sheet {
  if ("receipt" in content) return drawReceipt(content.receipt);
  if ("separator" in content) return drawSeparator(content.separator);
  return "ticket" in content ? drawTicket(content.ticket) : new Sheet(`Order ${content.blank}, blank side`);
}
