import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { LIVE_PING_MS } from "#shared/live-events.ts";
import { mayCall, type Procedure } from "#shared/permissions.ts";
import { idField } from "#shared/schemas/fields.ts";
import { requireRecentAuth } from "./accounts/second-factor.service.ts";
import { type Actor, type Context, requireShop, type SignedIn } from "./context.ts";
import { AppError, STATUS, toAppError } from "./errors.ts";
import { ASKED_BEFORE_BODY } from "./http/limits.ts";
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
 * Lets in whom the table of permissions lets in, before anything else of the call is looked at; measures the call, and
 * turns whatever it throws, bad input included, into the one shape that both transports answer with. It is one middleware,
 * and leaves the context as it is, because tRPC copies all that it knows of a call for each, and a context that is changed.
 */
function letIn<Caller extends Actor>(isOneOfThem: (actor: Actor) => actor is Caller) {
  return t.middleware(async ({ next, ctx, path }) => {
    const start = performance.now();
    const { actor } = ctx;
    const refusal = isOneOfThem(actor) ? refusalOf(ctx, path) : loginFirst();
    const result = refusal ? { ok: false as const, error: refusal } : await next<{ actor: Caller }>({});
    ctx.metrics.observeProcedure({ procedure: path, ok: String(result.ok) }, performance.now() - start);
    if (result.ok) return result;
    const error = toAppError(result.error);
    if (error.code === "INTERNAL") {
      ctx.log.error({ err: error.cause, path, requestId: ctx.requestId }, "procedure failed");
    }
    throw toTrpcError(error);
  });
}

/** Why this caller cannot call a procedure now, whatever they would send with it: what is asked before a body is read. */
export function refusalOf(ctx: Context, procedure: string): AppError | null {
  const { actor } = ctx;
  const caller = actor.kind === "guest" ? "guest" : actor.user.role;
  if (mayCall(procedure, caller)) return spentLimit(ctx, procedure);
  return caller === "guest" ? loginFirst() : new AppError("FORBIDDEN", "Your account may not do this");
}

function spentLimit({ actor, address, limits, deviceCookie }: Context, procedure: string): AppError | null {
  const asked = ASKED_BEFORE_BODY[procedure as Procedure];
  try {
    // A device that an account knows has counts of its own, which only the call itself can look up.
    const mayBeKnown = deviceCookie.token !== null && procedure.startsWith("accounts.");
    if (asked?.address && !mayBeKnown) limits.refuseSpent(asked.address, address);
    if (asked?.account && actor.kind === "user") limits.refuseSpent(asked.account, actor.user._id);
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

function loginFirst(): AppError {
  return new AppError("UNAUTHENTICATED", "Please login to continue");
}

/** What a procedure threw, as tRPC's own error; a subscription throws it itself, long after its call was answered. */
export function toTrpcError(thrown: unknown): TRPCError {
  const error = toAppError(thrown);
  return new TRPCError({ code: STATUS[error.code].trpc, message: error.message, cause: error });
}

/** Anyone may call it whom the table of permissions lets in; the procedures below also prove it by type. */
export const publicProcedure = t.procedure.use(letIn(isAnyone));

/** Only a signed-in user may call it. */
export const userProcedure = t.procedure.use(letIn(isSignedIn));

/** Has a procedure refuse whoever has not proved for some minutes that it is them. */
export const recentAuth = t.middleware(({ ctx, next }) => {
  requireRecentAuth(ctx);
  return next();
});

/** Only staff may call it; `ctx.actor.shops` says whose shops they may see. */
export const staffProcedure = userProcedure.use(async ({ ctx, next }) =>
  next({ ctx: { actor: await asStaff(ctx, ctx.actor.user) } }),
);

/** Only who runs shops may call it; `ctx.actor.shops` says which. */
export const ownerProcedure = staffProcedure.use(({ ctx, next }) => {
  requireOwner(ctx.actor);
  return next();
});

/** Only who runs the shop that `shopId` in its input names may call it. */
export const shopProcedure = ownerProcedure
  .input(z.object({ shopId: idField }))
  .use(({ ctx, input, next }) => {
    requireShop(ctx, input.shopId);
    return next();
  });

/** Only admins may call it. */
export const adminProcedure = userProcedure.use(({ ctx, next }) =>
  next({ ctx: { actor: asAdmin(ctx.actor.user) } }),
);
