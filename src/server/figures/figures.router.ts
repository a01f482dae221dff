import { figuresInput, shopFiguresInput } from "#shared/schemas/figures.ts";
import { recentAuth, router, staffProcedure } from "../trpc.ts";
import { exportFigures, getFigures, listShops } from "./figures.service.ts";

export const figuresRouter = router({
  read: staffProcedure.input(figuresInput).query(({ ctx, input }) => getFigures(ctx, input)),
  shops: staffProcedure.input(shopFiguresInput).query(({ ctx, input }) => listShops(ctx, input)),
  export: staffProcedure
    .use(recentAuth)
    .input(figuresInput)
    .query(({ ctx, input }) => exportFigures(ctx, input)),
});
