import { ofShop } from "#shared/schemas/ids.ts";
import {
  createShopInput,
  hideShopInput,
  openShopInput,
  updateShopInput,
} from "#shared/schemas/shop-admin.ts";
import { shopIdInput, shopListInput, shopPageInput } from "#shared/schemas/shops.ts";
import { uploadBody } from "../http/bodies.ts";
import { adminProcedure, ownerProcedure, publicProcedure, router, shopProcedure } from "../trpc.ts";
import {
  createShop,
  getManagedShop,
  listManagedShops,
  removeShop,
  setShopHidden,
  setShopOpen,
  updateShop,
} from "./admin.service.ts";
import { uploadShopPhoto } from "./photos.service.ts";
import { findShopPage, getShop, listShops } from "./shops.service.ts";

/** For the staff of the shops. */
const managedShops = router({
  list: ownerProcedure.query(({ ctx }) => listManagedShops(ctx)),
  byId: shopProcedure.query(({ ctx, input }) => getManagedShop(ctx, input)),
  create: adminProcedure.input(createShopInput).mutation(({ ctx, input }) => createShop(ctx, input)),
  update: shopProcedure.input(updateShopInput).mutation(({ ctx, input }) => updateShop(ctx, input)),
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
