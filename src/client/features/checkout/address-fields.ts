import type { DeliveryAddress } from "#shared/schemas/orders.ts";

interface AddressField {
  name: keyof DeliveryAddress;
  label: string;
  autoComplete: string;
}

/** The four fields of a delivery address, in the order of the form. */
export const ADDRESS_FIELDS: readonly AddressField[] = [
  { name: "fullname", label: "Delivery to", autoComplete: "name" },
  { name: "flatno", label: "Flat number", autoComplete: "address-line1" },
  { name: "roadNo", label: "Road number", autoComplete: "address-line2" },
  { name: "country", label: "Country and district", autoComplete: "address-level1" },
];
