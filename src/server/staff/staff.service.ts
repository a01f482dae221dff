import type { Context, StaffMember } from "../context.ts";
import { listShopNames, type ShopName } from "../shops/shops.service.ts";

/** The shops that the caller works for, by name. */
export function myShops(ctx: Context<StaffMember>): Promise<ShopName[]> {
  return listShopNames(ctx, ctx.actor.shops);
}
