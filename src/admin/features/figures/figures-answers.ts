import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

type Answers = inferRouterOutputs<AppRouter>["figures"];

/** What the server answers for a period. */
export type Figures = Answers["read"];
export type DayFigures = Figures["days"][number];
export type ShopFigures = Answers["everyShop"][number];
export type OptionFigures = Figures["options"][number];
