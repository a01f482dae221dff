import { create as contentDisposition } from "content-disposition";
import type { Hono } from "hono";
import { z } from "zod";
import { REFUSED_ORDERS_HEADER } from "#shared/calls.ts";
import { MAX_JOBS } from "#shared/order-limits.ts";
import { SIZES } from "#shared/paper-sizes.ts";
import { toAppError } from "../errors.ts";
import { DOWNLOAD_HEADERS } from "../files/pdf/print-copies.service.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { findPrintableOrders, makePack, type PackedOrder } from "./packs.service.ts";
import { makeReceipt, makeShopReceipt } from "./receipts.service.ts";

const packQuery = z.object({
  part: z.coerce.number().int().min(1).max(MAX_JOBS).optional(),
  sizes: z.enum(SIZES).default("fit"),
});

/**
 * Mounts the print pack of an order, or of several with their ids joined by commas; of an order with several parts `?part=` is
 * the one to print, from 1. Pages of another size than the paper are fitted to it, unless `?sizes=own` leaves them. Errors are
 * sent as plain text for people, with a header that names the orders that cannot be printed.
 */
export function mountPacks(app: Hono<Env>, contextOf: ContextOf): void {
  app.get("/admin/orders/:id/pack.pdf", async (c) => {
    try {
      const ctx = await contextOf(c);
      const wishes = packQuery.parse(c.req.query());
      const orders = await findPrintableOrders(ctx, { ids: c.req.param("id"), ...wishes });
      const disposition = contentDisposition(`${orders.map(nameOf).join(" ")}.pdf`);
      const headers = { ...DOWNLOAD_HEADERS, "Content-Disposition": disposition };
      if (c.req.method === "HEAD") return c.newResponse(null, 200, headers);
      const { bytes, body } = await makePack(ctx, orders, c.req.raw.signal);
      ctx.downloads.begin(ctx, c.env);
      return c.newResponse(body, 200, { ...headers, "Content-Length": String(bytes) });
    } catch (error) {
      const { data } = toAppError(error);
      if (Array.isArray(data?.orderIds)) c.header(REFUSED_ORDERS_HEADER, data.orderIds.join());
      throw error;
    }
  });
}

/** Such as `K7M4-Q2XD`, or `K7M4-Q2XD part 2` for a part of an order. */
function nameOf({ order: { number, jobs }, part }: PackedOrder): string {
  return jobs.length === 1 ? number : `${number} part ${part + 1}`;
}

/** Mounts the download of a receipt, for students and for staff. Errors are sent as plain text for people. */
export function mountReceipts(app: Hono<Env>, contextOf: ContextOf): void {
  const routes = [
    ["/orders/:id/receipt.pdf", makeReceipt],
    ["/admin/orders/:id/receipt.pdf", makeShopReceipt],
  ] as const;
  for (const [path, make] of routes) {
    app.get(path, async (c) => {
      const { number, pdf } = await make(await contextOf(c), c.req.param("id"), c.req.raw.signal);
      return c.body(pdf, 200, {
        "Cache-Control": "private, no-store",
        "Content-Type": "application/pdf",
        "Content-Disposition": contentDisposition(`Receipt ${number}.pdf`),
      });
    });
  }
}
