import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";

type Answers = inferRouterOutputs<AppRouter>["stats"];

/** The server's stats of a period. */
export type Stats = Answers["read"];
export type DayStats = Stats["days"][number];
export type StatsExport = Answers["export"];
export type ShopStats = StatsExport["shops"][number];
export type OptionStats = Stats["options"][number];
