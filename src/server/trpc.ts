import { initTRPC, TRPCError, tracked } from "@trpc/server";
import { LIVE_PING_MS } from "#shared/live-events.ts";
import { mayCall, type Procedure } from "#shared/permissions.ts";
import { ofShop } from "#shared/schemas/ids.ts";
import { requireRecentAuth } from "./accounts/second-factor.service.ts";
import {
  type Actor,
  type Context,
  requireShop,
  type SignedIn,
  type Uploader,
  type Visitor,
} from "./context.ts";
import { AppError, forbidden, isForLog, loginRequired, STATUS, toAppError } from "./errors.ts";
import { LIMITS_BEFORE_BODY } from "./http/limits.ts";
import { asAdmin, asStaff, requireOwner } from "./staff/access.service.ts";

const t = initTRPC.context<Context>().create({
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: LIVE_PING_MS } },
  errorFormatter({ shape, error }) {
    const { code, message, issues, data } = toAppError(error);
    return { ...shape, message, data: { ...shape.data, appCode: code, issues, details: data } };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/**
 * Checks the table of permissions before the input is parsed, measures the call, and converts every error, invalid input
 * included, to the format of both transports. It is one middleware and keeps the context unchanged, unless a body took long,
 * because tRPC copies the data of a call for each middleware and for each changed context.
 */
function authorize<Caller extends Actor>(isCaller: (actor: Actor) => actor is Caller) {
  return t.middleware(async ({ next, ctx, path, getRawInput }) => {
    const start = performance.now();
    const refuse = (caller: Context) =>
      refusalOf(caller, path) ?? (isCaller(caller.actor) ? null : loginRequired());
    const early = refuse(ctx);
    const caller = early ? ctx : await awaitBody(ctx, getRawInput);
    const refusal = caller === ctx ? early : refuse(caller);
    const changed = caller === ctx ? {} : { ctx: caller as Context<Caller> };
    const result = refusal ? { ok: false as const, error: refusal } : await next<{ actor: Caller }>(changed);
    ctx.metrics.observeProcedure({ procedure: path, ok: String(result.ok) }, performance.now() - start);
    if (result.ok) return result;
    const error = toAppError(result.error);
    if (isForLog(error)) {
      ctx.log.error({ err: error.cause, path, requestId: ctx.requestId }, "procedure failed");
    }
    throw toTrpcError(error);
  });
}

/** Why this caller cannot call a procedure now, whatever the input: checked before a body is read. Null if they can. */
export function refusalOf(ctx: Context, procedure: string): AppError | null {
  const { actor } = ctx;
  const caller = actor.kind === "guest" ? "guest" : actor.user.role;
  if (mayCall(procedure, caller)) return exhaustedLimit(ctx, procedure);
  if (actor.kind === "user") return forbidden();
  return mayCall(procedure, "visitor") && ctx.visitCookie.token ? visitOver() : loginRequired();
}

/** How long a body may take before its caller is looked up again. */
const CALLER_KEPT_MS = 250;

/**
 * Waits for the body of a call and returns its context, with the caller as they are now where that took long: a request may last
 * half an hour, and its caller may be logged out, or lose a role, before they send the rest.
 */
export async function awaitBody(ctx: Context, read: () => Promise<unknown>): Promise<Context> {
  const start = performance.now();
  // What is wrong with the body is said by whoever reads it next.
  await read().catch(() => {});
  if (performance.now() - start < CALLER_KEPT_MS) return ctx;
  return { ...ctx, ...(await ctx.findCaller()) };
}

function exhaustedLimit(
  { actor, address, limits, deviceCookie }: Context,
  procedure: string,
): AppError | null {
  const asked = LIMITS_BEFORE_BODY[procedure as Procedure];
  try {
    // A known device of an account has its own counts, which only the call itself can look up.
    const mayBeKnown = deviceCookie.token !== null && procedure.startsWith("accounts.");
    if (asked?.address && !mayBeKnown) limits.refuseExhausted(asked.address, address);
    if (asked?.guestAddress && actor.kind !== "user") limits.refuseExhausted(asked.guestAddress, address);
    const own = actor.kind === "visitor" ? asked?.visit : asked?.account;
    if (own && actor.kind !== "guest") limits.refuseExhausted(own, actor.user._id);
    return null;
  } catch (error) {
    return toAppError(error);
  }
}

function isAnyone(_actor: Actor): _actor is Actor {
  return true;
}

function isSignedIn(actor: Actor): actor is SignedIn {
  return actor.kind === "user";
}

function isVisitor(actor: Actor): actor is Visitor {
  return actor.kind === "visitor";
}

function isUploader(actor: Actor): actor is Uploader {
  return actor.kind !== "guest";
}

function visitOver(): AppError {
  return new AppError(
    "UNAUTHENTICATED",
    "Your visit at the counter is over. Please scan the code at the shop again",
  );
}

/** Converts anything thrown to a TRPCError. */
export function toTrpcError(thrown: unknown): TRPCError {
  const error = toAppError(thrown);
  return new TRPCError({ code: STATUS[error.code].trpc, message: error.message, cause: error });
}

/**
 * The events of a subscription with their ids, so that a client that reconnects says where to go on. Converts errors itself,
 * because subscriptions throw long after their call was answered.
 */
export async function* trackEvents<Event extends { id: string }>(events: AsyncIterable<Event>) {
  try {
    for await (const event of events) yield tracked(event.id, event);
  } catch (error) {
    throw toTrpcError(error);
  }
}

/** Callable by everyone whom the table of permissions allows; the procedures below also prove the caller by type. */
export const publicProcedure = t.procedure.use(authorize(isAnyone));

/** Callable by logged-in users only. */
export const userProcedure = t.procedure.use(authorize(isSignedIn));

/** Callable by visitors at a shop's counter only. */
export const visitorProcedure = t.procedure.use(authorize(isVisitor));

/** Callable by logged-in users and by visitors. */
export const uploaderProcedure = t.procedure.use(authorize(isUploader));

/** Throws CONFIRMATION_REQUIRED as `requireRecentAuth` does. */
export const recentAuth = t.middleware(({ ctx, next }) => {
  requireRecentAuth(ctx);
  return next();
});

/** Callable by staff only; `ctx.actor.shops` are the shops that they may see. */
export const staffProcedure = userProcedure.use(async ({ ctx, next }) =>
  next({ ctx: { actor: await asStaff(ctx, ctx.actor.user) } }),
);

/** Callable by shop owners and admins; `ctx.actor.shops` are the shops that they manage. */
export const ownerProcedure = staffProcedure.use(({ ctx, next }) => {
  requireOwner(ctx.actor);
  return next();
});

/** Callable by admins and the owners of the shop `shopId` in the input. */
export const shopProcedure = ownerProcedure.input(ofShop).use(({ ctx, input, next }) => {
  requireShop(ctx, input.shopId);
  return next();
});

/** Callable by admins only. */
export const adminProcedure = userProcedure.use(({ ctx, next }) =>
  next({ ctx: { actor: asAdmin(ctx.actor.user) } }),
);
