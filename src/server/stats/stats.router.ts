import { shopStatsInput, statsInput } from "#shared/schemas/stats.ts";
import { ownerProcedure, recentAuth, router } from "../trpc.ts";
import { exportStats, getStats, listShopStats } from "./stats.service.ts";

export const statsRouter = router({
  read: ownerProcedure.input(statsInput).query(({ ctx, input }) => getStats(ctx, input)),
  shops: ownerProcedure.input(shopStatsInput).query(({ ctx, input }) => listShopStats(ctx, input)),
  export: ownerProcedure
    .use(recentAuth)
    .input(statsInput)
    .query(({ ctx, input }) => exportStats(ctx, input)),
});
