import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

type Answers = inferRouterOutputs<AppRouter>["figures"];

/** What the server answers for a period. */
export type Figures = Answers["read"];
export type DayFigures = Figures["days"][number];
export type FiguresExport = Answers["export"];
export type ShopFigures = FiguresExport["shops"][number];
export type OptionFigures = Figures["options"][number];
