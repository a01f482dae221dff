import { Readable } from "node:stream";
import { ReadableStream, TextEncoderStream } from "node:stream/web";
import { create as contentDisposition } from "content-disposition";
import type { Hono } from "hono";
import { periodInput } from "#shared/schemas/period.ts";
import { requireRecentAuth } from "../accounts/second-factor.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { findStaff, requireOwner } from "../staff/access.service.ts";
import { exportInvoices, exportOrders, exportPayments } from "./payments/book.service.ts";
import { readReportPhoto } from "./reprints/report-photos.service.ts";

const EXPORTS = { orders: exportOrders, payments: exportPayments, invoices: exportInvoices };

/** Mounts the exports of the book as CSV, which are streamed. Errors are sent as plain text for people. */
export function mountBookExports(app: Hono<Env>, contextOf: ContextOf): void {
  for (const [name, exportOf] of Object.entries(EXPORTS)) {
    app.get(`/admin/export/${name}.csv`, async (c) => {
      const ctx = await asExporter(await contextOf(c));
      const input = periodInput.safeParse(c.req.query());
      if (!input.success) {
        throw new AppError("INVALID_INPUT", input.error.issues[0]?.message ?? "Please choose a period");
      }
      const { from, until } = input.data;
      const csv = ReadableStream.from(exportOf(ctx, input.data)).pipeThrough(new TextEncoderStream());
      return c.body(csv as globalThis.ReadableStream, 200, {
        "Cache-Control": "private, no-store",
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": contentDisposition(`${name} ${from} to ${until}.csv`),
      });
    });
  }
}

/** Throws NOT_FOUND for anybody but owners and admins, and CONFIRMATION_REQUIRED without a recent login. */
async function asExporter(ctx: Context): Promise<Context<StaffMember>> {
  const staff = await findStaff(ctx);
  if (!staff) throw new AppError("NOT_FOUND", "This page was not found");
  requireOwner(staff);
  const own = { ...ctx, actor: staff };
  requireRecentAuth(own);
  return own;
}

/** Mounts the photos of misprints. Errors are sent as plain text for people. */
export function mountReprintPhotos(app: Hono<Env>, contextOf: ContextOf): void {
  app.get("/reprint-photos/:id", async (c) => {
    const ctx = await contextOf(c);
    const { bytes, open } = await readReportPhoto(ctx, c.req.param("id"));
    ctx.downloads.begin(ctx, c.env);
    // What is opened for a body that nobody reads is only closed by the garbage collection.
    const body = c.req.method === "HEAD" ? null : Readable.toWeb(await open());
    return c.newResponse(body as globalThis.ReadableStream | null, 200, {
      "Cache-Control": "private, no-store",
      "Content-Type": "image/webp",
      "Content-Length": String(bytes),
    });
  });
}
