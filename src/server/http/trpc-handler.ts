import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { getErrorShape } from "@trpc/server/shared";
import type { Context as HonoContext } from "hono";
import { MAX_BATCH } from "#shared/calls.ts";
import { PERMISSIONS } from "#shared/permissions.ts";
import type { Deps } from "../context.ts";
import { AppError, noSuchCall, STATUS } from "../errors.ts";
import { appRouter } from "../router.ts";
import { toTrpcError } from "../trpc.ts";
import { createContext, type Env } from "./request-context.ts";

export const TRPC_PATH = "/api/trpc";

/** Handles the tRPC calls of the React apps. */
export function trpcHandler(deps: Deps) {
  return (c: HonoContext<Env>): Promise<Response> => {
    refuseOddPath(c.req.raw.url);
    return fetchRequestHandler({
      endpoint: TRPC_PATH,
      req: c.req.raw,
      router: appRouter,
      maxBatchSize: MAX_BATCH,
      createContext: ({ resHeaders }) =>
        createContext(c, deps, (name, value) => resHeaders.append(name, value)),
    });
  };
}

/** The existing procedures that a request to this path calls; a batch calls several. */
export function trpcProcedures(path: string): string[] {
  const names = decodeNames(path)?.split(",") ?? [];
  return names.filter((name) => Object.hasOwn(PERMISSIONS, name));
}

/** The names in a path; null where it cannot be decoded. */
function decodeNames(path: string): string | null {
  try {
    return decodeURIComponent(path.slice(TRPC_PATH.length + 1));
  } catch {
    return null;
  }
}

/**
 * Throws BAD_REQUEST for a path that cannot be decoded, which tRPC would report as an internal error, or that asks for several
 * lists of shops: twenty of 10,000 shops took 94 MB to send and half a gigabyte of memory. Throws NOT_FOUND for a slash in the
 * names: tRPC ignores one at the end, and would call what the limit of the body did not see.
 */
function refuseOddPath(url: string): void {
  const { pathname } = new URL(url);
  if (pathname.includes("/", TRPC_PATH.length + 1)) throw noSuchCall();
  // Rolldown leaves out a call of decodeURIComponent whose result is not used, although it may throw.
  const names = decodeNames(pathname);
  if (names === null) throw new AppError("BAD_REQUEST", "The request could not be read");
  const lists = names.split(",").filter((name) => name === "shops.list");
  if (lists.length > 1) throw new AppError("BAD_REQUEST", "Ask for one list of shops at a time");
}

/** An error that occurred before any procedure was called, in tRPC's error format. */
export function trpcFailureResponse(c: HonoContext, error: AppError): Response {
  const shape = getErrorShape({
    config: appRouter._def._config,
    error: toTrpcError(error),
    type: "unknown",
    path: undefined,
    input: undefined,
    ctx: undefined,
  });
  return c.json({ error: shape }, STATUS[error.code].http);
}
