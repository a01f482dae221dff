import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import { z } from "zod";
import { SUCCESS } from "#shared/messages.ts";
import {
  currentUser,
  emailInput,
  loginInput,
  otpLoginInput,
  resetPasswordInput,
  signupInput,
  verifyAccountInput,
} from "#shared/schemas/accounts.ts";
import { contactInput } from "#shared/schemas/contact.ts";
import { approvedFile } from "#shared/schemas/files.ts";
import { placedOrder, placeOrderInput } from "#shared/schemas/orders.ts";
import { shop, shopCard, shopIdInput, shopListInput } from "#shared/schemas/shops.ts";
import type { Context } from "./context.ts";
import { AppError, STATUS } from "./errors.ts";
import { failureResponses, jsonContent, operationOf, type RestRoute, restRoute } from "./http/openapi.ts";
import type { ContextOf, Env } from "./http/request-context.ts";
import { createCaller } from "./router.ts";
import { awaitBody, refusalOf } from "./trpc.ts";

/** The contract, but for `POST /uploads` (`files/files.http.ts`), whose body is no JSON. */
const ROUTES: readonly RestRoute[] = [
  restRoute({
    method: "post",
    path: "/users/register",
    procedure: "accounts.register",
    tag: "Users",
    summary: "Sign up; the verification code is sent by email",
    body: signupInput,
    data: z.object({ email: z.string(), phone: z.string(), fullName: z.string() }),
    failures: ["INVALID_INPUT", "CONFLICT", "RATE_LIMITED"],
    message: "Account created. Please verify your account",
    call: (caller, { body }) => caller.accounts.register(body),
  }),
  restRoute({
    method: "post",
    path: "/users/verify-account",
    procedure: "accounts.verify",
    tag: "Users",
    summary: "Verify an account with the code sent at sign-up",
    body: verifyAccountInput,
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
    call: (caller, { body }) => caller.accounts.verify(body),
  }),
  restRoute({
    method: "post",
    path: "/users/login",
    procedure: "accounts.login",
    tag: "Users",
    summary: "Log in with a password; sets the session cookie",
    body: loginInput,
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
    call: (caller, { body }) => caller.accounts.login(body),
  }),
  restRoute({
    method: "post",
    path: "/users/generate-otp-for-login",
    procedure: "accounts.requestLoginOtp",
    tag: "Users",
    summary: "Email a login code, if the account exists",
    body: emailInput,
    data: emailInput,
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "If this account exists, an OTP has been sent to its email",
    call: (caller, { body }) => caller.accounts.requestLoginOtp(body),
  }),
  restRoute({
    method: "post",
    path: "/users/login-with-otp",
    procedure: "accounts.loginWithOtp",
    tag: "Users",
    summary: "Log in with an emailed code; sets the session cookie",
    body: otpLoginInput,
    data: currentUser,
    failures: [
      "INVALID_INPUT",
      "UNAUTHENTICATED",
      "RATE_LIMITED",
      "SECOND_FACTOR_REQUIRED",
      "SECOND_FACTOR_SETUP_REQUIRED",
    ],
    message: "Logged in",
    call: (caller, { body }) => caller.accounts.loginWithOtp(body),
  }),
  restRoute({
    method: "get",
    path: "/users/getuser",
    procedure: "accounts.getUser",
    tag: "Users",
    summary: "The user of the session",
    data: currentUser,
    failures: ["UNAUTHENTICATED"],
    message: "User found",
    call: (caller) => caller.accounts.getUser(),
  }),
  restRoute({
    method: "post",
    path: "/users/logout",
    procedure: "accounts.logout",
    tag: "Users",
    summary: "End the session",
    data: z.null(),
    message: "Logged out",
    call: (caller) => caller.accounts.logout(),
  }),
  restRoute({
    method: "post",
    path: "/users/fpmail",
    procedure: "accounts.requestPasswordLink",
    tag: "Users",
    summary: "Email a password reset link, if the account exists",
    body: emailInput,
    data: emailInput,
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "If this account exists, a link has been sent to its email",
    call: (caller, { body }) => caller.accounts.requestPasswordLink(body),
  }),
  restRoute({
    method: "post",
    path: "/users/reset-password",
    procedure: "accounts.resetPassword",
    tag: "Users",
    summary: "Set a new password with the emailed link; ends all sessions of the account",
    body: resetPasswordInput,
    data: z.null(),
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "Password changed. Please log in",
    call: (caller, { body }) => caller.accounts.resetPassword(body),
  }),
  restRoute({
    method: "get",
    path: "/prints/shopslocation",
    procedure: "shops.list",
    tag: "Shops",
    summary: "All shops as shown in the grid, or one page of them, or those that match a search",
    query: shopListInput,
    data: z.array(shopCard),
    failures: ["INVALID_INPUT", "NOT_FOUND"],
    message: "Shops found",
    call: (caller, { query }) => caller.shops.list(query),
  }),
  restRoute({
    method: "get",
    path: "/prints/shopdata",
    procedure: "shops.byId",
    tag: "Shops",
    summary: "One shop with its option lists",
    query: shopIdInput,
    data: shop,
    failures: ["INVALID_INPUT", "NOT_FOUND"],
    message: "Shop found",
    call: (caller, { query }) => caller.shops.byId(query),
  }),
  restRoute({
    method: "post",
    path: "/uploads/approve",
    procedure: "files.approve",
    tag: "Files",
    summary: "Say that the PDF of a converted document looks right, so that it can be ordered",
    body: approvedFile,
    data: z.null(),
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "NOT_FOUND"],
    message: "The file can be ordered",
    // The procedure checks its input, which may be anything here.
    call: (caller, { body }) => caller.files.approve({ id: body?.public_id }),
  }),
  restRoute({
    method: "post",
    path: "/prints/printorder",
    procedure: "orders.place",
    tag: "Orders",
    summary: "Place an order; an Idempotency-Key header makes a repeat safe",
    body: placeOrderInput,
    headers: z.object({
      "Idempotency-Key": placeOrderInput.shape.idempotencyKey.meta({
        description:
          "Any text of the caller's for this order. A repeat with the same one returns the same order",
      }),
    }),
    data: placedOrder,
    failures: ["INVALID_INPUT", "UNAUTHENTICATED", "NOT_FOUND", "CONFLICT", "PRICE_CHANGED", "RATE_LIMITED"],
    message: SUCCESS.orderPlaced.text,
    call: (caller, { body, idempotencyKey }) =>
      caller.orders.place(idempotencyKey ? { ...body, idempotencyKey } : body),
  }),
  restRoute({
    method: "post",
    path: "/users/contactus",
    procedure: "contact.send",
    tag: "Contact",
    summary: "Send the store a message",
    body: contactInput,
    data: z.null(),
    failures: ["INVALID_INPUT", "RATE_LIMITED"],
    message: "Your query has been received successfully",
    call: (caller, { body }) => caller.contact.send(body),
  }),
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

/** The failure response of an error, with its HTTP status. */
export function failureResponse(c: HonoContext, { code, message, issues, data }: AppError): Response {
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
