import { z } from "zod";
import { idField } from "./fields.ts";
import { type DeliveryAddress, deliveryAddress } from "./orders.ts";

/** So many addresses may one user save. */
export const MAX_ADDRESSES = 10;

export interface SavedAddress extends DeliveryAddress {
  id: string;
  /** The one that an order begins with; one of them is, where there are any. */
  isDefault: boolean;
}

export const addAddressInput = z.object({ address: deliveryAddress });
export const updateAddressInput = z.object({ id: idField, address: deliveryAddress });
export const addressIdInput = z.object({ id: idField });
