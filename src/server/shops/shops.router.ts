import { z } from "zod";
import { idField } from "#shared/schemas/fields.ts";
import { ofShop } from "#shared/schemas/ids.ts";
import { savePricesInput } from "#shared/schemas/prices.ts";
import { closeEarlyInput, saveScheduleInput } from "#shared/schemas/schedule.ts";
import { seedFile } from "#shared/schemas/seed.ts";
import {
  createShopInput,
  hideShopInput,
  managedShopsInput,
  openShopInput,
  updateShopInput,
} from "#shared/schemas/shop-admin.ts";
import { shopIdInput, shopListInput, shopPageInput } from "#shared/schemas/shops.ts";
import { switchCounterInput } from "#shared/schemas/visits.ts";
import { uploadBody } from "../http/bodies.ts";
import {
  adminProcedure,
  ownerProcedure,
  publicProcedure,
  recentAuth,
  router,
  shopProcedure,
  staffProcedure,
} from "../trpc.ts";
import {
  createShop,
  getManagedShop,
  listManagedShops,
  removeShop,
  setShopHidden,
  setShopOpen,
  updateShop,
} from "./admin.service.ts";
import { getCounter, renewCode, switchCounter } from "./counter.service.ts";
import { sendConfirmation } from "./order-email.service.ts";
import { uploadShopPhoto } from "./photos.service.ts";
import { getPriceList, savePriceList } from "./prices.service.ts";
import {
  closeEarly,
  getScheduleSettings,
  listClosedShops,
  openShop,
  saveScheduleSettings,
} from "./schedule.service.ts";
import { applySeed, exportSeed, previewSeed } from "./seed.service.ts";
import { findShopPage, getShop, listShops } from "./shops.service.ts";

/** For the staff of the shops. */
const managedShops = router({
  list: ownerProcedure
    .input(managedShopsInput.prefault({}))
    .query(({ ctx, input }) => listManagedShops(ctx, input)),
  byId: shopProcedure.query(({ ctx, input }) => getManagedShop(ctx, input)),
  create: adminProcedure.input(createShopInput).mutation(({ ctx, input }) => createShop(ctx, input)),
  update: shopProcedure.input(updateShopInput).mutation(({ ctx, input }) => updateShop(ctx, input)),
  sendConfirmation: shopProcedure.mutation(({ ctx, input }) => sendConfirmation(ctx, input)),
  setOpen: shopProcedure.input(openShopInput).mutation(({ ctx, input }) => setShopOpen(ctx, input)),
  setHidden: adminProcedure.input(hideShopInput).mutation(({ ctx, input }) => setShopHidden(ctx, input)),
  remove: adminProcedure.input(ofShop).mutation(({ ctx, input }) => removeShop(ctx, input)),
  uploadPhoto: ownerProcedure.input(uploadBody).mutation(({ ctx, input }) => uploadShopPhoto(ctx, input)),
});

export const shopsRouter = router({
  list: publicProcedure.input(shopListInput.prefault({})).query(({ ctx, input }) => listShops(ctx, input)),
  page: publicProcedure.input(shopPageInput).query(({ ctx, input }) => findShopPage(ctx, input)),
  byId: publicProcedure.input(shopIdInput).query(({ ctx, input }) => getShop(ctx, input)),
  admin: managedShops,
});

/** The price list of a shop, for its staff. */
export const pricesRouter = router({
  get: shopProcedure.query(({ ctx, input }) => getPriceList(ctx, input)),
  save: shopProcedure.input(savePricesInput).mutation(({ ctx, input }) => savePriceList(ctx, input)),
});

/** For the staff of a shop: what decides its promised times, and whether it works today. */
export const scheduleRouter = router({
  settings: shopProcedure.query(({ ctx, input }) => getScheduleSettings(ctx, input)),
  save: shopProcedure.input(saveScheduleInput).mutation(({ ctx, input }) => saveScheduleSettings(ctx, input)),
  closeEarly: shopProcedure.input(closeEarlyInput).mutation(({ ctx, input }) => closeEarly(ctx, input)),
  closed: staffProcedure.query(({ ctx }) => listClosedShops(ctx)),
  open: staffProcedure.input(ofShop).mutation(({ ctx, input }) => openShop(ctx, input)),
});

/** For the staff of a shop: its counter for people without an account. */
export const counterRouter = router({
  today: staffProcedure.input(ofShop).query(({ ctx, input }) => getCounter(ctx, input)),
  renew: staffProcedure.input(ofShop).mutation(({ ctx, input }) => renewCode(ctx, input)),
  switch: staffProcedure.input(switchCounterInput).mutation(({ ctx, input }) => switchCounter(ctx, input)),
});

const fileInput = z.object({ file: seedFile });

/** Import and export of shops and price lists for admins; the same as `npm run seed`. */
export const seedRouter = router({
  preview: adminProcedure.input(fileInput).mutation(({ ctx, input }) => previewSeed(ctx, input.file)),
  /** A seed file can change payment addresses, so it needs recent authentication. */
  write: adminProcedure
    .use(recentAuth)
    .input(fileInput.extend({ base: z.record(idField, z.string().max(40)) }))
    .mutation(({ ctx, input }) => applySeed(ctx, input)),
  export: adminProcedure
    .use(recentAuth)
    .input(z.object({ after: idField.optional() }).prefault({}))
    .query(({ ctx, input }) => exportSeed(ctx, input)),
});
