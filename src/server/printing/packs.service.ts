import { writeFile } from "node:fs/promises";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  addPrintedPages,
  makePrintCopy,
  type PrintCopy,
  printingAccount,
} from "../files/pdf/print-copies.service.ts";
import { getOrder, type StaffOrder } from "../orders/board/detail.service.ts";
import { asStaff } from "../staff/access.service.ts";
import { ticketOf } from "./ticket.ts";

/**
 * The order for staff who print it. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND for an order of another shop, and GONE once
 * its files are deleted.
 */
export async function findPrintableOrder(ctx: Context, orderId: string): Promise<StaffOrder> {
  const { actor } = ctx;
  if (actor.kind !== "user") throw new AppError("UNAUTHENTICATED", "Please login to continue");
  const order = await getOrder({ ...ctx, actor: await asStaff(ctx, actor.user) }, { orderId });
  if (order.files.some(({ deletedAt }) => deletedAt)) {
    throw new AppError(
      "GONE",
      `The files of order ${order.number} have been deleted. They cannot be printed again`,
    );
  }
  return order;
}

/**
 * Creates the print pack of an order: one PDF with a ticket and the pages to print of every file, in order. It is sent only
 * once it is complete and its page count equals the billed one; the work ends when `signal` aborts.
 */
export function makePack(ctx: Context, order: StaffOrder, signal: AbortSignal): Promise<PrintCopy> {
  return makePrintCopy(ctx, async (target) => {
    const client = { account: printingAccount(ctx), signal };
    const ticket = await ctx.sheets.draw({ ticket: ticketOf(ctx, order) }, client);
    if (!ticket)
      throw new AppError("UNAVAILABLE", "The ticket could not be drawn just now. Please try again");
    await writeFile(target, ticket.bytes);
    let count = ticket.pages;
    for (const file of order.files) {
      count = await addPrintedPages(ctx, file, { target, before: count, signal });
    }
    if (count - ticket.pages !== order.pages) throw notAsBilled(ctx, order, count - ticket.pages);
  });
}

function notAsBilled(
  { log, requestId }: Context,
  { id, number, pages }: StaffOrder,
  count: number,
): AppError {
  log.error({ orderId: id, billed: pages, count, requestId }, "a print pack differs from what was billed");
  return new AppError(
    "UNREADABLE_FILE",
    `Order ${number} was billed ${pages} pages, but its files give ${count}. It is not printed. Please ask the student`,
  );
}
