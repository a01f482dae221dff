import { ownOrderInput, ownOrdersInput, placeOrderInput } from "#shared/schemas/orders.ts";
import { router, userProcedure } from "../trpc.ts";
import { getOwnOrder } from "./orders.detail.service.ts";
import { listOwnOrders } from "./orders.own.service.ts";
import { placeOrder } from "./orders.service.ts";

export const ordersRouter = router({
  place: userProcedure.input(placeOrderInput).mutation(({ ctx, input }) => placeOrder(ctx, input)),
  mine: userProcedure.input(ownOrdersInput).query(({ ctx, input }) => listOwnOrders(ctx, input)),
  one: userProcedure.input(ownOrderInput).query(({ ctx, input }) => getOwnOrder(ctx, input)),
});
