import { savePricesInput } from "#shared/schemas/prices.ts";
import { router, shopProcedure } from "../trpc.ts";
import { getPriceList, savePriceList } from "./prices.service.ts";

/** The price list of a shop, for its staff. */
export const pricesRouter = router({
  get: shopProcedure.query(({ ctx, input }) => getPriceList(ctx, input)),
  save: shopProcedure.input(savePricesInput).mutation(({ ctx, input }) => savePriceList(ctx, input)),
});
