import { Readable } from "node:stream";
import type { Hono } from "hono";
import { textFailure } from "../../errors.ts";
import type { ContextOf, Env } from "../../http/request-context.ts";
import { readReportPhoto } from "./photos.service.ts";

/** Mounts the photos of misprints. Errors are sent as plain text for people. */
export function mountReprintPhotos(app: Hono<Env>, contextOf: ContextOf): void {
  app.get("/reprint-photos/:id", async (c) => {
    try {
      const ctx = await contextOf(c);
      const { bytes, open } = await readReportPhoto(ctx, c.req.param("id"));
      ctx.downloads.begin(ctx, c.env);
      // What is opened for a body that nobody reads is only closed by the garbage collection.
      const body = c.req.method === "HEAD" ? null : Readable.toWeb(await open());
      return c.newResponse(body as ReadableStream | null, 200, {
        "Cache-Control": "private, no-store",
        "Content-Type": "image/webp",
        "Content-Length": String(bytes),
      });
    } catch (error) {
      return textFailure(c, error);
    }
  });
}
