import { ofOrder } from "#shared/schemas/ids.ts";
import { liveInput, ownOrdersInput, placeOrderInput, rateInput } from "#shared/schemas/orders.ts";
import { promiseInput } from "#shared/schemas/schedule.ts";
import { publicProcedure, router, trackEvents, userProcedure } from "../trpc.ts";
import { watchOwnOrders } from "./events/events.service.ts";
import { getOwnOrder, listOwnOrders, rateOrder } from "./orders.service.ts";
import { placeOrder } from "./placement/placement.service.ts";
import { getPromise } from "./placement/promise.service.ts";

export const ordersRouter = router({
  promise: publicProcedure.input(promiseInput).query(({ ctx, input }) => getPromise(ctx, input)),
  place: userProcedure.input(placeOrderInput).mutation(({ ctx, input }) => placeOrder(ctx, input)),
  mine: userProcedure.input(ownOrdersInput).query(({ ctx, input }) => listOwnOrders(ctx, input)),
  one: userProcedure.input(ofOrder).query(({ ctx, input }) => getOwnOrder(ctx, input)),
  live: userProcedure
    .input(liveInput)
    .subscription(({ ctx, input, signal }) =>
      trackEvents(watchOwnOrders(ctx, input?.lastEventId ?? null, signal ?? ctx.closing)),
    ),
});

export const ratingsRouter = router({
  rate: userProcedure.input(rateInput).mutation(({ ctx, input }) => rateOrder(ctx, input)),
});
