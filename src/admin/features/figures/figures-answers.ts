import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

/** What the server answers for a period. */
export type Figures = inferRouterOutputs<AppRouter>["figures"]["read"];
export type DayFigures = Figures["days"][number];
export type ShopFigures = Figures["shops"][number];
export type OptionFigures = Figures["options"][number];
