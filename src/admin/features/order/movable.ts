import type { PayableOrder } from "#shared/payment.ts";

/** An order as the person saw it when they moved it. */
export interface Movable extends PayableOrder {
  id: string;
  number: string;
}
