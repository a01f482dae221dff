import { closeEarlyInput, saveScheduleInput } from "#shared/schemas/schedule.ts";
import { router, shopProcedure } from "../trpc.ts";
import { closeEarly, getScheduleSettings, saveScheduleSettings } from "./schedule.service.ts";

/** For the owners of a shop: what decides its promised times. */
export const scheduleRouter = router({
  settings: shopProcedure.query(({ ctx, input }) => getScheduleSettings(ctx, input)),
  save: shopProcedure.input(saveScheduleInput).mutation(({ ctx, input }) => saveScheduleSettings(ctx, input)),
  closeEarly: shopProcedure.input(closeEarlyInput).mutation(({ ctx, input }) => closeEarly(ctx, input)),
});
