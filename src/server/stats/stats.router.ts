import { figuresInput, shopFiguresInput } from "#shared/schemas/figures.ts";
import { ownerProcedure, recentAuth, router } from "../trpc.ts";
import { exportFigures, getFigures, listShops } from "./stats.service.ts";

export const figuresRouter = router({
  read: ownerProcedure.input(figuresInput).query(({ ctx, input }) => getFigures(ctx, input)),
  shops: ownerProcedure.input(shopFiguresInput).query(({ ctx, input }) => listShops(ctx, input)),
  export: ownerProcedure
    .use(recentAuth)
    .input(figuresInput)
    .query(({ ctx, input }) => exportFigures(ctx, input)),
});
