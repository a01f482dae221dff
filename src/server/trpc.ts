import { initTRPC, TRPCError } from "@trpc/server";
import type { Actor, Context, SignedIn } from "./context.ts";
import { AppError, STATUS, toAppError } from "./errors.ts";

const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter({ shape, error }) {
    const { code, message, issues, data } = toAppError(error);
    return { ...shape, message, data: { ...shape.data, appCode: code, issues, details: data } };
  },
});

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;

/** Turns whatever a procedure throws, bad input included, into the one shape that both transports answer with. */
const withAppErrors = t.middleware(async ({ next, ctx, path }) => {
  const result = await next();
  if (result.ok) return result;
  const error = toAppError(result.error);
  if (error.code === "INTERNAL") {
    ctx.log.error({ err: error.cause, path, requestId: ctx.requestId }, "procedure failed");
  }
  throw new TRPCError({ code: STATUS[error.code].trpc, message: error.message, cause: error });
});

/** Anyone may call it. */
export const publicProcedure = t.procedure.use(withAppErrors);

/** Only a signed-in user may call it; its context proves that by type. */
export const userProcedure = publicProcedure.use(({ ctx, next }) =>
  next({ ctx: { ...ctx, actor: requireSignedIn(ctx.actor) } }),
);

function requireSignedIn(actor: Actor): SignedIn {
  if (actor.kind === "guest") throw new AppError("UNAUTHENTICATED", "Please login to continue");
  return actor;
}
