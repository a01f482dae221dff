import { rateInput } from "#shared/schemas/ratings.ts";
import { router, userProcedure } from "../trpc.ts";
import { rateOrder } from "./ratings.service.ts";

export const ratingsRouter = router({
  rate: userProcedure.input(rateInput).mutation(({ ctx, input }) => rateOrder(ctx, input)),
});
