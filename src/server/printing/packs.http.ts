import { create as contentDisposition } from "content-disposition";
import type { Hono, Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { STATUS, toAppError } from "../errors.ts";
import { DOWNLOAD_HEADERS } from "../files/pdf/print-copies.service.ts";
import type { Env } from "../http/request-context.ts";
import { findPrintableOrders, makePack } from "./packs.service.ts";

/** Mounts the print pack of an order, or of several with their ids joined by commas. Errors are sent as plain text for people. */
export function mountPacks(app: Hono<Env>, contextOf: (c: HonoContext<Env>) => Promise<Context>): void {
  app.get("/admin/orders/:id/pack.pdf", async (c) => {
    try {
      const ctx = await contextOf(c);
      const orders = await findPrintableOrders(ctx, c.req.param("id"));
      const disposition = contentDisposition(`${orders.map(({ number }) => number).join(" ")}.pdf`);
      const headers = { ...DOWNLOAD_HEADERS, "Content-Disposition": disposition };
      if (c.req.method === "HEAD") return c.newResponse(null, 200, headers);
      const { bytes, body } = await makePack(ctx, orders, c.req.raw.signal);
      return c.newResponse(body, 200, { ...headers, "Content-Length": String(bytes) });
    } catch (error) {
      // The client has disconnected.
      if (c.req.raw.signal.aborted) return c.body(null, 408);
      const { code, message } = toAppError(error);
      if (code === "INTERNAL") throw error;
      return c.text(message, STATUS[code].http, { "Cache-Control": "private, no-store" });
    }
  });
}
