import { yearInput } from "#shared/schemas/period.ts";
import { shopStatsInput } from "#shared/schemas/stats.ts";
import { ownerProcedure, recentAuth, router } from "../trpc.ts";
import { exportStats, getStats, listShopStats } from "./stats.service.ts";

export const statsRouter = router({
  read: ownerProcedure.input(yearInput).query(({ ctx, input }) => getStats(ctx, input)),
  shops: ownerProcedure.input(shopStatsInput).query(({ ctx, input }) => listShopStats(ctx, input)),
  export: ownerProcedure
    .use(recentAuth)
    .input(yearInput)
    .query(({ ctx, input }) => exportStats(ctx, input)),
});
