import { skipToken } from "@tanstack/react-query";
import { trpc } from "#client/lib/trpc.ts";
import type { OrderDataRequest } from "../print/order-data.ts";

/** The shop that an order is for: by its id, or by the three fields of the contract where the id is missing. */
export function useOrderShop({ shopId, shopName, shopLocation, shopEmail }: OrderDataRequest) {
  const list = trpc.shops.list.useQuery(shopId ? skipToken : { search: shopName });
  const named = list.data?.find(
    (shop) => shop.shopName === shopName && shop.shopLocation === shopLocation && shop.email === shopEmail,
  );
  const id = shopId ?? named?._id;
  return trpc.shops.byId.useQuery(id ? { id } : skipToken);
}
