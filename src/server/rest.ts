import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import { z } from "zod";
import { accountsRest } from "./accounts/accounts.rest.ts";
import { contactRest } from "./contact/contact.rest.ts";
import type { Context } from "./context.ts";
import { AppError, STATUS, toAppError } from "./errors.ts";
import { filesRest } from "./files/files.rest.ts";
import { failureResponses, jsonContent, operationOf, type RestRoute } from "./http/openapi.ts";
import type { ContextOf, Env } from "./http/request-context.ts";
import { ordersRest } from "./orders/orders.rest.ts";
import { createCaller } from "./router.ts";
import { shopsRest } from "./shops/shops.rest.ts";
import { awaitBody, refusalOf } from "./trpc.ts";

const ROUTES: readonly RestRoute[] = [
  ...accountsRest,
  ...shopsRest,
  ...filesRest,
  ...ordersRest,
  ...contactRest,
];

/**
 * Mounts the routes of the REST contract and their documentation. Each route converts its request and calls one procedure.
 */
export function mountRest(api: OpenAPIHono<Env>, contextOf: ContextOf): void {
  for (const route of ROUTES) {
    document(api, route);
    api.on(route.method.toUpperCase(), route.path, async (c) => {
      const ctx = await contextOf(c);
      const { caller, body } = route.body ? await readBody(c, ctx, route) : { caller: ctx, body: undefined };
      const data = await route.call(createCaller(caller), {
        body,
        query: c.req.query(),
        idempotencyKey: c.req.header("idempotency-key") || undefined,
      });
      return c.json({ success: true, message: route.message, data: data ?? null });
    });
  }
}

/** The procedure of a route that takes a body; empty for any other request. */
export function restProcedures(method: string, path: string): string[] {
  const route = ROUTES.find((it) => path === `/api/v1${it.path}` && method === it.method.toUpperCase());
  return route?.body ? [route.procedure] : [];
}

/** Checks the caller's permission before it reads the body, and looks them up again where that took long. */
async function readBody(
  c: HonoContext<Env>,
  ctx: Context,
  { procedure }: RestRoute,
): Promise<{ caller: Context; body: unknown }> {
  const refusal = refusalOf(ctx, procedure);
  if (refusal) throw refusal;
  const reading = readJson(c);
  return { caller: await awaitBody(ctx, () => reading), body: await reading };
}

async function readJson(c: HonoContext): Promise<unknown> {
  const type = c.req.header("content-type") ?? "";
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    throw new AppError("UNSUPPORTED_TYPE", "Please send JSON, with the content type application/json");
  }
  const text = await c.req.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("BAD_REQUEST", "The body is not valid JSON");
  }
}

/** Converts any error to the failure response with its HTTP status. */
export function failureResponse(c: HonoContext, error: unknown): Response {
  const { code, message, issues, data, retryAfterSeconds } = toAppError(error);
  if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
  return c.json({ success: false, message, code, issues, data }, STATUS[code].http);
}

function document(api: OpenAPIHono<Env>, route: RestRoute): void {
  api.openAPIRegistry.registerPath({
    method: route.method,
    path: route.path,
    ...operationOf(route.procedure),
    tags: [route.tag],
    summary: route.summary,
    request: {
      ...(route.body && { body: { required: true, content: jsonContent(route.body) } }),
      ...(route.query instanceof z.ZodObject && { query: route.query }),
      ...(route.headers && { headers: route.headers }),
    },
    responses: {
      200: {
        description: route.message,
        content: jsonContent(z.object({ success: z.literal(true), message: z.string(), data: route.data })),
      },
      ...failureResponses(route.failures ?? []),
    },
  });
}
