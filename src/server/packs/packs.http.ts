import { create as contentDisposition } from "content-disposition";
import type { Hono, Context as HonoContext } from "hono";
import type { Context } from "../context.ts";
import { STATUS, toAppError } from "../errors.ts";
import type { OrderDetail } from "../queue/queue.detail.service.ts";
import type { Env } from "../request-context.ts";
import { zipOriginals } from "./packs.originals.ts";
import { findPrintableOrder, makePack } from "./packs.service.ts";

const HEADERS = { "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store" };

interface Offer {
  type: string;
  /** As `Content-Disposition` has it. */
  disposition(order: OrderDetail): string;
  make(ctx: Context, order: OrderDetail, client: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** Opens where it can be printed at once: the pack is a document of our own, and is never taken for anything else. */
const PACK: Offer = {
  type: "application/pdf",
  disposition: ({ number }) => contentDisposition(`${number}.pdf`, { type: "inline" }),
  make: (ctx, order, client) => streamOf((signal) => makePack(ctx, order, signal), client),
};

const ORIGINALS: Offer = {
  type: "application/zip",
  disposition: ({ number }) => contentDisposition(`${number}.zip`),
  make: async (ctx, order) => zipOriginals(ctx, order),
};

/** Mounts what the console offers to print of an order. Failures are plain text for people. */
export function mountPacks(app: Hono<Env>, contextOf: (c: HonoContext<Env>) => Promise<Context>): void {
  const answer = ({ type, disposition, make }: Offer) => {
    return async (c: HonoContext<Env, "/admin/orders/:id/:offer">): Promise<Response> => {
      try {
        const ctx = await contextOf(c);
        const order = await findPrintableOrder(ctx, c.req.param("id"));
        const body = c.req.method === "HEAD" ? null : await make(ctx, order, c.req.raw.signal);
        const headers = { ...HEADERS, "Content-Type": type, "Content-Disposition": disposition(order) };
        return c.newResponse(body, 200, headers);
      } catch (error) {
        const { code, message } = toAppError(error);
        if (code === "INTERNAL") throw error;
        return c.text(message, STATUS[code].http, HEADERS);
      }
    };
  };
  app.get("/admin/orders/:id/pack.pdf", answer(PACK));
  app.get("/admin/orders/:id/originals.zip", answer(ORIGINALS));
}

/** The bytes as they are asked for; the first are made before, so that what fails by then can still be told. */
async function streamOf(
  make: (signal: AbortSignal) => AsyncGenerator<Uint8Array>,
  client: AbortSignal,
): Promise<ReadableStream<Uint8Array>> {
  const gone = new AbortController();
  const bytes = make(AbortSignal.any([gone.signal, client]));
  let next = await bytes.next();
  return new ReadableStream(
    {
      async pull(controller) {
        if (next.done) return controller.close();
        controller.enqueue(next.value);
        next = await bytes.next();
      },
      async cancel() {
        gone.abort();
        await bytes.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
