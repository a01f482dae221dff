import { shopStatsInput, statsInput } from "#shared/schemas/stats.ts";
import { ownerProcedure, recentAuth, router } from "../trpc.ts";
import { exportFigures, getFigures, listShops } from "./stats.service.ts";

export const statsRouter = router({
  read: ownerProcedure.input(statsInput).query(({ ctx, input }) => getFigures(ctx, input)),
  shops: ownerProcedure.input(shopStatsInput).query(({ ctx, input }) => listShops(ctx, input)),
  export: ownerProcedure
    .use(recentAuth)
    .input(statsInput)
    .query(({ ctx, input }) => exportFigures(ctx, input)),
});
