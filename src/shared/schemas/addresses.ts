import { z } from "zod";
import { idField } from "./fields.ts";
import { type DeliveryAddress, deliveryAddress } from "./orders.ts";

/** The maximum number of addresses of one user. */
export const MAX_ADDRESSES = 10;

export interface SavedAddress extends DeliveryAddress {
  id: string;
  /** Whether a new order starts with it; one of the user's addresses is the default. */
  isDefault: boolean;
}

export const addAddressInput = z.object({ address: deliveryAddress });
export const updateAddressInput = z.object({ id: idField, address: deliveryAddress });
export const addressIdInput = z.object({ id: idField });
