import { shopIdInput } from "#shared/schemas/shops.ts";
import { publicProcedure, router } from "../trpc.ts";
import { getShop, listShops } from "./shops.service.ts";

export const shopsRouter = router({
  list: publicProcedure.query(({ ctx }) => listShops(ctx)),
  byId: publicProcedure.input(shopIdInput).query(({ ctx, input }) => getShop(ctx, input)),
});
