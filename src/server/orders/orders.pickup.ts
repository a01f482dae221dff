import { randomInt } from "node:crypto";
import type { OrderTable } from "#db/schema.ts";
import type { Fulfilment } from "#shared/fulfilment.ts";
import { AppError } from "../errors.ts";
import type { ShopRecord } from "../shops/shops.service.ts";

/** So many wrong codes are taken at hand-over; after them only a note why helps. */
const TRIES = 5;
const CODES = 10_000;

/** Throws INVALID_INPUT for a pickup at a shop that offers none. */
export function refuseUnofferedPickup({ name, offersPickup }: ShopRecord, fulfilment: Fulfilment): void {
  if (fulfilment === "delivery" || offersPickup) return;
  const message = `${name} does not offer pickup. Please have the order delivered`;
  throw new AppError("INVALID_INPUT", message, { issues: [{ path: "fulfilment", message }] });
}

/** What a new order keeps of how it reaches the student: one that is fetched gets four digits of its own. */
export function newFulfilment(
  fulfilment: Fulfilment,
): Pick<OrderTable, "fulfilment" | "pickup_code" | "pickup_tries_left"> {
  if (fulfilment === "delivery") return { fulfilment, pickup_code: null, pickup_tries_left: 0 };
  const code = String(randomInt(CODES)).padStart(4, "0");
  return { fulfilment, pickup_code: code, pickup_tries_left: TRIES };
}
