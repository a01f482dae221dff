import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

/** What the server's procedures answer. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;
