import type { OpenAPIHono } from "@hono/zod-openapi";
import { callTRPCProcedure } from "@trpc/server";
import type { Context as HonoContext } from "hono";
import { z } from "zod";
import type { ErrorCode } from "#shared/error-codes.ts";
import { SUCCESS } from "#shared/messages.ts";
import type { Procedure } from "#shared/permissions.ts";
import { currentUser, emailInput } from "#shared/schemas/accounts.ts";
import { approvedFile } from "#shared/schemas/files.ts";
import { placedOrder, placeOrderInput } from "#shared/schemas/orders.ts";
import { shop, shopCard } from "#shared/schemas/shops.ts";
import type { Context } from "./context.ts";
import { AppError, STATUS } from "./errors.ts";
import { failureResponses, jsonContent, operationOf, type Tag } from "./http/openapi.ts";
import type { ContextOf, Env } from "./http/request-context.ts";
import { appRouter } from "./router.ts";
import { awaitBody, refusalOf } from "./trpc.ts";

/** One route of the contract: a procedure that is called over REST. A GET calls a query, a POST a mutation. */
interface RestRoute {
  method: "get" | "post";
  /** Path below /api/v1. */
  path: string;
  procedure: Procedure;
  tag: Tag;
  summary: string;
  /** Schema of the body, where it differs from the procedure's input. */
  body?: z.ZodObject;
  /** Request headers that the route reads. */
  headers?: z.ZodObject;
  /** Returns the procedure's input for a body that differs from it. The body may be any JSON: the procedure validates the result. */
  // biome-ignore lint/suspicious/noExplicitAny: JSON that is not validated yet
  toInput?(body: any, c: HonoContext<Env>): unknown;
  /** Schema of `data` in the response. */
  data: z.ZodType;
  /** `message` of a successful response. */
  message: string;
  /** Error codes of this route, in addition to those that every route can return. */
  failures?: readonly ErrorCode[];
}

/** The contract, but for `POST /uploads` (`files/files.http.ts`), whose body is no JSON. */
const ROUTES: readonly RestRoute[] = [
  {
    method: "post",
    path: "/users/register",
    procedure: "accounts.register",
    tag: "Users",
    summary: "Sign up; the verification code is sent by email",
    data: z.object({ email: z.string(), phone: z.string(), fullName: z.string() }),
    failures: ["INVALID_INPUT", "CONFLICT", "RATE_LIMITED"],
    message: "Account created. Please verify your account",
  },
  {
    method: "post",
    path: "/users/verify-account",
    procedure: "accounts.verify",
    tag: "Users",
    summary: "Verify an account with the code sent at sign-up",
    data: z.object({
      phone: z.string(),
      passwordToken: z
        .string()
        .optional()
        .describe(
          "Only when the browser that verifies is not the one that signed up: a token for choosing a password at /users/reset-password",
        ),
    }),
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "RATE_LIMITED"],
    message: "Account verified",
  },
  {
    method: "post",
    path: "/users/login",
    procedure: "accounts.login",
    tag: "Users",
    summary: "Log in with a password; sets the session cookie",
    data: currentUser,
    failures: [
      "INVALID_INPUT",
      "UNAUTHENTICATED",
      "ACCOUNT_NOT_VERIFIED",
      "PASSWORD_TOO_WEAK",
      "RATE_LIMITED",
      "SECOND_FACTOR_REQUIRED",
      "SECOND_FACTOR_SETUP_REQUIRED",
    ],
    message: "Logged in",
  },
  {
    method: "post",
    path: "/users/generate-otp-for-login",
    procedure: "accounts.requestLoginOtp",
    tag: "Users",
    summary: "Email a login code, if the account exists",
    data: emailInput,
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "If this account exists, an OTP has been sent to its email",
  },
  {
    method: "post",
    path: "/users/login-with-otp",
    procedure: "accounts.loginWithOtp",
    tag: "Users",
    summary: "Log in with an emailed code; sets the session cookie",
    data: currentUser,
    failures: [
      "INVALID_INPUT",
      "UNAUTHENTICATED",
      "RATE_LIMITED",
      "SECOND_FACTOR_REQUIRED",
      "SECOND_FACTOR_SETUP_REQUIRED",
    ],
    message: "Logged in",
  },
  {
    method: "get",
    path: "/users/getuser",
    procedure: "accounts.getUser",
    tag: "Users",
    summary: "The user of the session",
    data: currentUser,
    failures: ["UNAUTHENTICATED"],
    message: "User found",
  },
  {
    method: "post",
    path: "/users/logout",
    procedure: "accounts.logout",
    tag: "Users",
    summary: "End the session",
    data: z.null(),
    message: "Logged out",
  },
  {
    method: "post",
    path: "/users/fpmail",
    procedure: "accounts.requestPasswordLink",
    tag: "Users",
    summary: "Email a password reset link, if the account exists",
    data: emailInput,
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "If this account exists, a link has been sent to its email",
  },
  {
    method: "post",
    path: "/users/reset-password",
    procedure: "accounts.resetPassword",
    tag: "Users",
    summary: "Set a new password with the emailed link; ends all sessions of the account",
    data: z.null(),
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "Password changed. Please log in",
  },
  {
    method: "get",
    path: "/prints/shopslocation",
    procedure: "shops.list",
    tag: "Shops",
    summary: "All shops as shown in the grid, or one page of them, or those that match a search",
    data: z.array(shopCard),
    failures: ["INVALID_INPUT", "NOT_FOUND"],
    message: "Shops found",
  },
  {
    method: "get",
    path: "/prints/shopdata",
    procedure: "shops.byId",
    tag: "Shops",
    summary: "One shop with its option lists",
    data: shop,
    failures: ["INVALID_INPUT", "NOT_FOUND"],
    message: "Shop found",
  },
  {
    method: "post",
    path: "/uploads/approve",
    procedure: "files.approve",
    tag: "Files",
    summary: "Say that the PDF of a converted document looks right, so that it can be ordered",
    body: approvedFile,
    data: z.null(),
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "NOT_FOUND"],
    message: "The file can be ordered",
    toInput: (body) => ({ id: body?.public_id }),
  },
  {
    method: "post",
    path: "/prints/printorder",
    procedure: "orders.place",
    tag: "Orders",
    summary: "Place an order; an Idempotency-Key header makes a repeat safe",
    headers: z.object({
      "Idempotency-Key": placeOrderInput.shape.idempotencyKey.meta({
        description:
          "Any text of the caller's for this order. A repeat with the same one returns the same order",
      }),
    }),
    data: placedOrder,
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "NOT_FOUND", "CONFLICT", "PRICE_CHANGED", "RATE_LIMITED"],
    message: SUCCESS.orderPlaced.text,
    toInput: (body, { req }) => {
      const idempotencyKey = req.header("idempotency-key");
      return idempotencyKey ? { ...body, idempotencyKey } : body;
    },
  },
  {
    method: "post",
    path: "/users/contactus",
    procedure: "contact.send",
    tag: "Contact",
    summary: "Send the store a message",
    data: z.null(),
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "Your query has been received successfully",
  },
];

/**
 * Mounts the routes of the REST contract and their documentation. Each route converts its request and calls one procedure.
 */
export function mountRest(api: OpenAPIHono<Env>, contextOf: ContextOf): void {
  for (const route of ROUTES) {
    const { method, path, procedure, message, toInput } = route;
    document(api, route);
    api.on(method.toUpperCase(), path, async (c) => {
      const { ctx, given } = await readRequest(c, await contextOf(c), route);
      const data = await callTRPCProcedure({
        router: appRouter,
        path: procedure,
        type: method === "get" ? "query" : "mutation",
        ctx,
        getRawInput: async () => (toInput ? toInput(given, c) : given),
        signal: undefined,
        batchIndex: 0,
      });
      return c.json({ success: true, message, data: data ?? null });
    });
  }
}

/** The input schema of a procedure; undefined where it takes none. tRPC has it at run time, but not in its types. */
function inputOf(procedure: Procedure): z.ZodType | undefined {
  const procedures = appRouter._def.procedures as unknown as Record<
    Procedure,
    { _def: { inputs: z.ZodType[] } }
  >;
  const input = procedures[procedure]._def.inputs.at(-1);
  return input instanceof z.ZodPrefault ? (input.unwrap() as z.ZodType) : input;
}

function hasBody({ method, procedure }: RestRoute): boolean {
  return method === "post" && inputOf(procedure) !== undefined;
}

/** The procedure of a route that takes a body; empty for any other request. */
export function restProcedures(method: string, path: string): string[] {
  const route = ROUTES.find((it) => path === `/api/v1${it.path}` && method === it.method.toUpperCase());
  return route && hasBody(route) ? [route.procedure] : [];
}

/** Checks the caller's permission before it reads a body, and looks them up again where that took long. */
async function readRequest(
  c: HonoContext<Env>,
  ctx: Context,
  route: RestRoute,
): Promise<{ ctx: Context; given: unknown }> {
  if (!hasBody(route)) return { ctx, given: c.req.query() };
  const refusal = refusalOf(ctx, route.procedure);
  if (refusal) throw refusal;
  const reading = readJson(c);
  return { ctx: await awaitBody(ctx, () => reading), given: await reading };
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

/** The failure response of an error, with its HTTP status. */
export function failureResponse(c: HonoContext, { code, message, issues, data }: AppError): Response {
  return c.json({ success: false, message, code, issues, data }, STATUS[code].http);
}

function document(api: OpenAPIHono<Env>, route: RestRoute): void {
  const input = inputOf(route.procedure);
  api.openAPIRegistry.registerPath({
    method: route.method,
    path: route.path,
    ...operationOf(route.procedure),
    tags: [route.tag],
    summary: route.summary,
    request: {
      ...(input && hasBody(route) && { body: { required: true, content: jsonContent(route.body ?? input) } }),
      ...(input instanceof z.ZodObject && !hasBody(route) && { query: input }),
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
