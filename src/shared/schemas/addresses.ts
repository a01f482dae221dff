import { z } from "zod";
import { idField, requiredText } from "./fields.ts";

export const deliveryAddress = z
  .object({
    country: requiredText("Country and district"),
    roadNo: requiredText("Road number"),
    flatno: requiredText("Flat number"),
    fullname: requiredText("The name"),
  })
  .meta({ id: "DeliveryAddress" });
export type DeliveryAddress = z.infer<typeof deliveryAddress>;

/** The maximum number of addresses of one user. */
export const MAX_ADDRESSES = 10;

export interface SavedAddress extends DeliveryAddress {
  id: string;
  /** Whether a new order starts with it; one of the user's addresses is the default. */
  isDefault: boolean;
}

export const addAddressInput = z.object({ address: deliveryAddress });
export const updateAddressInput = z.object({ id: idField, address: deliveryAddress });
