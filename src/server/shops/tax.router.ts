import { saveTaxInput } from "#shared/schemas/tax.ts";
import { router, shopProcedure } from "../trpc.ts";
import { getTaxSettings, saveTaxSettings } from "./tax.service.ts";

/** For the owners of a shop: what its tax invoices say. */
export const taxRouter = router({
  settings: shopProcedure.query(({ ctx, input }) => getTaxSettings(ctx, input)),
  save: shopProcedure.input(saveTaxInput).mutation(({ ctx, input }) => saveTaxSettings(ctx, input)),
});
