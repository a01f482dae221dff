import { answerRequests } from "../worker-replies.ts";
import type { Drawing, DrawingRequest } from "./packs.ticket.ts";
import { drawNotice, drawTicket } from "./packs.ticket-drawing.ts";

answerRequests({ perform: draw, isWorn: () => false });

async function draw(request: DrawingRequest): Promise<Drawing> {
  const sheet = "ticket" in request ? drawTicket(request.ticket) : drawNotice(request.notice);
  await sheet.save(request.target);
  return { pages: sheet.pages };
}
