import { ofShop } from "#shared/schemas/ids.ts";
import { askAboutInput, changeStockInput, setOutInput } from "#shared/schemas/stock.ts";
import { setOptionOut } from "../../shops/stock.service.ts";
import { router, staffProcedure } from "../../trpc.ts";
import { askAboutOption, changeToOption, listStock } from "./stock.service.ts";

/** What a shop has run out of. */
export const stockRouter = router({
  list: staffProcedure.input(ofShop).query(({ ctx, input }) => listStock(ctx, input)),
  setOut: staffProcedure.input(setOutInput).mutation(({ ctx, input }) => setOptionOut(ctx, input)),
  ask: staffProcedure.input(askAboutInput).mutation(({ ctx, input }) => askAboutOption(ctx, input)),
  change: staffProcedure.input(changeStockInput).mutation(({ ctx, input }) => changeToOption(ctx, input)),
});
