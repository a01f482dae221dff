import { create as contentDisposition } from "content-disposition";
import type { Hono } from "hono";
import { textFailure } from "../errors.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { makeReceipt, makeShopReceipt } from "./receipts.service.ts";

/** Mounts the download of a receipt, for students and for staff. Errors are sent as plain text for people. */
export function mountReceipts(app: Hono<Env>, contextOf: ContextOf): void {
  const routes = [
    ["/orders/:id/receipt.pdf", makeReceipt],
    ["/admin/orders/:id/receipt.pdf", makeShopReceipt],
  ] as const;
  for (const [path, make] of routes) {
    app.get(path, async (c) => {
      try {
        const { number, pdf } = await make(await contextOf(c), c.req.param("id"), c.req.raw.signal);
        return c.body(pdf, 200, {
          "Cache-Control": "private, no-store",
          "Content-Type": "application/pdf",
          "Content-Disposition": contentDisposition(`Receipt ${number}.pdf`),
        });
      } catch (error) {
        return textFailure(c, error);
      }
    });
  }
}
