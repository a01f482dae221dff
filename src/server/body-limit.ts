import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "./errors.ts";

/** Largest body of any call but an upload. */
const MAX_BYTES = 1024 * 1024;

/**
 * Refuses larger bodies. Node ends each at the length that was announced with it, and without one there is none; only
 * what comes in chunks has to be counted, by Hono's own middleware, which makes a web request of every request.
 */
export function limitBody({ except }: { except: readonly string[] }) {
  return (c: HonoContext, next: Next) => {
    if (except.includes(c.req.path)) return next();
    const { headers } = (c.env as HttpBindings).incoming;
    if (headers["transfer-encoding"] !== undefined) return countChunks(c, next);
    if (Number(headers["content-length"] ?? 0) > MAX_BYTES) throw tooLarge();
    return next();
  };
}

const countChunks = bodyLimit({
  maxSize: MAX_BYTES,
  onError: () => {
    throw tooLarge();
  },
});

function tooLarge(): AppError {
  return new AppError("TOO_LARGE", "The request is larger than 1 MB");
}
