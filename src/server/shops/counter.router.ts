import { ofShop } from "#shared/schemas/ids.ts";
import { switchCounterInput } from "#shared/schemas/visits.ts";
import { router, staffProcedure } from "../trpc.ts";
import { getCounter, renewCode, switchCounter } from "./counter.service.ts";

/** For the staff of a shop: its counter for people without an account. */
export const counterRouter = router({
  today: staffProcedure.input(ofShop).query(({ ctx, input }) => getCounter(ctx, input)),
  renew: staffProcedure.input(ofShop).mutation(({ ctx, input }) => renewCode(ctx, input)),
  switch: staffProcedure.input(switchCounterInput).mutation(({ ctx, input }) => switchCounter(ctx, input)),
});
