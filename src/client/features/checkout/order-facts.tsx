import type { ReactNode } from "react";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import classes from "./order-facts.module.css";

// What an order says, before it is placed and on its own page.

interface Fact {
  label: string;
  value: ReactNode;
}

/** Names and values, one pair per line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A file of an order: its name and details. */
interface FileLine {
  key: string;
  name: string;
  facts?: string | undefined;
}

/** The files of an order, in printing order. */
export function FileLines({ files }: { files: readonly FileLine[] }) {
  return (
    <ol className={classes.files}>
      {files.map(({ key, name, facts }) => (
        <li key={key}>
          <span>{name}</span>
          {facts && <span className={classes.fileFacts}>{facts}</span>}
        </li>
      ))}
    </ol>
  );
}

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
