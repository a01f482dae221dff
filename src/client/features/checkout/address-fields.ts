import type { DeliveryAddress } from "#shared/schemas/addresses.ts";

interface AddressField {
  name: keyof DeliveryAddress;
  label: string;
  autoComplete: string;
  example: string;
}

/** The four fields of a delivery address, in the order of the form. */
export const ADDRESS_FIELDS: readonly AddressField[] = [
  { name: "fullname", label: "Delivery to", autoComplete: "name", example: "e.g. Asha Verma" },
  { name: "flatno", label: "Flat number", autoComplete: "address-line1", example: "e.g. Hostel 4, room 210" },
  { name: "roadNo", label: "Road number", autoComplete: "address-line2", example: "e.g. G.T. Road 12" },
  {
    name: "country",
    label: "Country and district",
    autoComplete: "address-level1",
    example: "e.g. India, Jalandhar",
  },
];

export const EMPTY_ADDRESS: DeliveryAddress = { country: "", roadNo: "", flatno: "", fullname: "" };
