import { pushSubscriptionInput } from "#shared/schemas/push.ts";
import { router, userProcedure } from "../trpc.ts";
import { getPushDevice, subscribe, unsubscribe } from "./push.service.ts";

export const pushRouter = router({
  device: userProcedure.query(({ ctx }) => getPushDevice(ctx)),
  subscribe: userProcedure.input(pushSubscriptionInput).mutation(({ ctx, input }) => subscribe(ctx, input)),
  unsubscribe: userProcedure.mutation(({ ctx }) => unsubscribe(ctx)),
});
