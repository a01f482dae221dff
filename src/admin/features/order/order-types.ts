import type { PartToPrint } from "#shared/order-jobs.ts";
import type { SizeNote } from "#shared/paper-sizes.ts";
import type { PayableOrder } from "#shared/payment.ts";
import type { RouterOutputs } from "#ui/trpc.ts";

/** What the procedures of the order board return. */
export type BoardData = RouterOutputs["board"]["read"];
export type OrderPage = RouterOutputs["board"]["page"];
export type OrderDetail = RouterOutputs["board"]["order"];
export type BoardCard = BoardData["delivered"][number];
export type ListedOrder = OrderPage["rows"][number];
export type LinkedOrder = NonNullable<RouterOutputs["reprints"]["ofOrder"]["reprint"]>;
export type OrderFile = OrderDetail["files"][number];

/** An order as it was shown when somebody moved it. */
export interface MovableOrder extends PayableOrder {
  id: string;
  number: string;
  /** When it was placed, in lists and in an open order. */
  createdAt?: string;
  placedAt?: string;
  /** Since when it is on hold. */
  heldAt?: string | null;
  /** Who ordered, in lists and in an open order. */
  studentName?: string;
  student?: { fullName: string };
  /** The parts of an order with several; each is printed by itself. */
  parts: readonly PartToPrint[];
  /** What to ask before each part is printed, because its pages have another size than the paper; null where nothing. */
  sizeNotes?: readonly (SizeNote | null)[];
  /** When the files of a printed order are deleted; until then it can go back to printing. */
  filesDeleteAt: string | null;
}
