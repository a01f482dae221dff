import { create as contentDisposition } from "content-disposition";
import type { Hono, Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { STATUS, toAppError } from "../errors.ts";
import type { Env } from "../http/request-context.ts";
import { makeReceipt } from "./receipts.service.ts";

const HEADERS = { "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store" };

/** Mounts the download of a receipt. Errors are sent as plain text for people. */
export function mountReceipts(app: Hono<Env>, contextOf: (c: HonoContext<Env>) => Promise<Context>): void {
  app.get("/orders/:id/receipt.pdf", async (c) => {
    try {
      const { number, pdf } = await makeReceipt(await contextOf(c), c.req.param("id"), c.req.raw.signal);
      return c.body(pdf, 200, {
        ...HEADERS,
        "Content-Type": "application/pdf",
        "Content-Disposition": contentDisposition(`Receipt ${number}.pdf`),
      });
    } catch (error) {
      const { code, message } = toAppError(error);
      if (code === "INTERNAL") throw error;
      return c.text(message, STATUS[code].http, HEADERS);
    }
  });
}
