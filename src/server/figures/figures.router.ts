import { figuresInput, shopFiguresInput } from "#shared/schemas/figures.ts";
import { router, staffProcedure } from "../trpc.ts";
import { getFigures, listAllShops, listShops } from "./figures.service.ts";

export const figuresRouter = router({
  read: staffProcedure.input(figuresInput).query(({ ctx, input }) => getFigures(ctx, input)),
  shops: staffProcedure.input(shopFiguresInput).query(({ ctx, input }) => listShops(ctx, input)),
  everyShop: staffProcedure.input(figuresInput).query(({ ctx, input }) => listAllShops(ctx, input)),
});
