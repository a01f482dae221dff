import { ofShop } from "#shared/schemas/ids.ts";
import { closeEarlyInput, saveScheduleInput } from "#shared/schemas/schedule.ts";
import { router, shopProcedure, staffProcedure } from "../trpc.ts";
import {
  closeEarly,
  getScheduleSettings,
  listClosedShops,
  openShop,
  saveScheduleSettings,
} from "./schedule.service.ts";

/** For the staff of a shop: what decides its promised times, and whether it works today. */
export const scheduleRouter = router({
  settings: shopProcedure.query(({ ctx, input }) => getScheduleSettings(ctx, input)),
  save: shopProcedure.input(saveScheduleInput).mutation(({ ctx, input }) => saveScheduleSettings(ctx, input)),
  closeEarly: shopProcedure.input(closeEarlyInput).mutation(({ ctx, input }) => closeEarly(ctx, input)),
  closed: staffProcedure.query(({ ctx }) => listClosedShops(ctx)),
  open: staffProcedure.input(ofShop).mutation(({ ctx, input }) => openShop(ctx, input)),
});
