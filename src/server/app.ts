import { setImmediate as nextImmediate } from "node:timers/promises";
import { OpenAPIHono } from "@hono/zod-openapi";
import { TRPCError } from "@trpc/server";
import type { Context as HonoContext, Next } from "hono";
import { requestId } from "hono/request-id";
import type { Deps } from "./context.ts";
import { AppError, isForLog, noSuchCall, requestBrokeOff, textFailure, toAppError } from "./errors.ts";
import { mountFiles, mountUploads } from "./files/files.http.ts";
import { mountOperations } from "./health/health.http.ts";
import { limitBodies, respondEarly } from "./http/bodies.ts";
import { type BodyLimit, bodyLimitOf, formLimit } from "./http/limits.ts";
import { mountApiDocs } from "./http/openapi.ts";
import { networkOf } from "./http/rate-limit.ts";
import { callerAddress, createContext, type Env, requestLog } from "./http/request-context.ts";
import { CACHED_PATHS, cacheResponses } from "./http/response-cache.ts";
import { originCheck, securityHeaders } from "./http/security-headers.ts";
import { limitUnread } from "./http/streams.ts";
import { TRPC_PATH, trpcFailureResponse, trpcHandler, trpcProcedures } from "./http/trpc-handler.ts";
import { mountMailbox } from "./mail/mailbox.http.ts";
import { mountBookExports, mountReprintPhotos } from "./orders/orders.http.ts";
import { mountConsole, mountPages, SHARE_TARGET } from "./pages/pages.http.ts";
import { mountPacks, mountReceipts } from "./printing/printing.http.ts";
import { mountMyData } from "./privacy/privacy.http.ts";
import { failureResponse, mountRest, restProcedures } from "./rest.ts";
import { mountMailedForms, mountShopPhotos } from "./shops/shops.http.ts";

const UPLOADS_PATH = "/api/v1/uploads";

/** Builds the Hono app of the whole server. It does not listen; server.ts and tests do that. */
export function createApp(deps: Deps): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>();
  const contextOf = (c: HonoContext<Env>) =>
    createContext(c, deps, (name, value) => c.header(name, value, { append: true }));

  app.onError((error, c) => {
    const appError = isAborted(c, error) ? requestBrokeOff() : toAppError(error);
    // A procedure has logged its error itself.
    if (isForLog(appError) && !(error instanceof TRPCError))
      deps.log.error({ err: error, requestId: c.get("requestId") }, "request failed");
    if (c.req.path.startsWith(TRPC_PATH)) return trpcFailureResponse(c, appError);
    if (appError.retryAfterSeconds !== undefined) c.header("Retry-After", String(appError.retryAfterSeconds));
    return c.req.path.startsWith("/api/") ? failureResponse(c, appError) : textFailure(c, appError);
  });
  const addressOf = (c: HonoContext) => networkOf(callerAddress(c, deps.config));
  app.use(limitUnread(addressOf));
  app.use(sendAfterImmediate);
  app.use(requestId());
  app.use(requestLog(deps));
  app.on("GET", CACHED_PATHS, cacheResponses(deps));
  app.use(securityHeaders(deps.config));
  mountOperations(app, deps, contextOf);

  app.use("/api/*", respondEarly({ addressOf }));
  app.use(SHARE_TARGET, respondEarly({ addressOf }));
  app.use("/api/*", originCheck(deps));
  app.use("/api/*", limitBodies({ limitOf: (c) => bodyLimitFor(c, deps.config), addressOf }));
  app.all(`${TRPC_PATH}/*`, trpcHandler(deps));

  const api = new OpenAPIHono<Env>();
  mountRest(api, contextOf);
  mountUploads(api, contextOf);
  mountApiDocs(api, deps);
  app.route("/api/v1", api);
  app.all("/api/*", () => {
    throw noSuchCall();
  });

  mountFiles(app, contextOf);
  mountShopPhotos(app, deps);
  mountMailedForms(app, deps, contextOf);
  mountMyData(app, contextOf);
  if (!deps.config.smtpUrl) mountMailbox(app, deps, contextOf);
  mountPacks(app, contextOf);
  mountBookExports(app, contextOf);
  mountReceipts(app, contextOf);
  mountReprintPhotos(app, contextOf);
  mountConsole(app);
  mountPages(app, deps, contextOf);
  return app;
}

/**
 * Middleware that waits for `setImmediate` before it sends a response, so that the responses of requests that arrived
 * together are written together and wake the client once. Kept for four benchmark rows that miss their targets without it:
 * shopslocation, shopdata, getuser and the home page.
 */
async function sendAfterImmediate(_c: HonoContext, next: Next): Promise<void> {
  await next();
  await nextImmediate();
}

/** The limit of this request's body; null if no procedure reads it. */
function bodyLimitFor({ req }: HonoContext, { maxUploadBytes }: Deps["config"]): BodyLimit | null {
  const { method, path } = req;
  if (method === "GET" || method === "HEAD") return null;
  if (path === UPLOADS_PATH) return formLimit(maxUploadBytes);
  const procedures = path.startsWith(TRPC_PATH) ? trpcProcedures(path) : restProcedures(method, path);
  const contentType = req.header("content-type") ?? "";
  return procedures.length > 0 ? bodyLimitOf(procedures, contentType) : null;
}

/** Whether the client closed the connection before the request was complete, which is not a server error. */
function isAborted(c: HonoContext, error: Error): boolean {
  const { incoming } = c.env;
  return incoming.destroyed && !incoming.complete && !(error instanceof AppError);
}
