import type { PayableOrder } from "#shared/payment.ts";

/** An order as the person saw it when they moved it. */
export interface Movable extends PayableOrder {
  id: string;
  number: string;
  /** When the files of a printed order are deleted; until then it can go back. */
  filesDeleteAt: string | null;
}
