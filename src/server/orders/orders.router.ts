import { placeOrderInput } from "#shared/schemas/orders.ts";
import { router, userProcedure } from "../trpc.ts";
import { placeOrder } from "./orders.service.ts";

export const ordersRouter = router({
  place: userProcedure.input(placeOrderInput).mutation(({ ctx, input }) => placeOrder(ctx, input)),
});
