import type { Fulfilment } from "#shared/fulfilment.ts";
import type { OptionKind } from "#shared/options.ts";
import { awaitsPickup, type OrderState } from "#shared/order-states.ts";
import type { Quote } from "#shared/pricing.ts";
import { firstPages } from "#shared/print-pages.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { agreedAddress, agreedQuote, agreedShop } from "./orders.agreed.service.ts";
import {
  findAgreedLines,
  findOwnFiles,
  findOwnOrder,
  findReachedStates,
  type OwnFileFacts,
  type OwnOrderRecord,
  type ReachedState,
} from "./orders.detail-queries.ts";
import { type FilesFate, filesFateOf } from "./orders.files-fate.ts";
import { findCancelReasons, findFilesFates } from "./orders.own-queries.ts";

/** All that the student who placed an order knows about it. */
export interface OwnOrderDetail {
  id: string;
  number: string;
  state: OrderState;
  fulfilment: Fulfilment;
  /** What the shop asks for at hand-over; null unless the order waits to be fetched. */
  pickupCode: string | null;
  placedAt: string;
  shop: { id: string; name: string; location: string; email: string; contactNumber: string };
  /** Null where none was given. */
  address: DeliveryAddress | null;
  message: string;
  pages: number;
  copies: number;
  /** Ids of the options that were chosen. */
  options: Partial<Record<OptionKind, string>>;
  /** As it was agreed. */
  quote: Quote;
  totalPaise: number;
  /** When the shop marked it as paid. */
  paidAt: string | null;
  /** What the student gave it; null until they do. */
  stars: number | null;
  /** Where the shop takes UPI; empty where it does not. */
  upiId: string;
  files: OwnFileFacts[];
  filesFate: FilesFate;
  /** The states that it has reached, the first first; one that went back has reached some more than once. */
  reached: ReachedState[];
  /** Why the shop cancelled it. */
  cancelReason: string | null;
}

/** One of the caller's own orders. Throws NOT_FOUND for any other, as for one that there is not. */
export async function getOwnOrder(
  { readDb, actor }: Context<SignedIn>,
  { orderId }: { orderId: string },
): Promise<OwnOrderDetail> {
  const order = await findOwnOrder(readDb, { id: orderId, userId: actor.user._id });
  if (!order) throw new AppError("NOT_FOUND", "This order was not found");
  const [lines, files, reached, reasons, fates] = await Promise.all([
    findAgreedLines(readDb, orderId),
    findOwnFiles(readDb, orderId),
    findReachedStates(readDb, orderId),
    findCancelReasons(readDb, [orderId]),
    findFilesFates(readDb, [orderId]),
  ]);
  return {
    ...orderFacts(order),
    options: Object.fromEntries(lines.map((line) => [line.kind, line.option_id])),
    quote: agreedQuote(order, lines),
    files: firstPages(files, order.pages),
    filesFate: filesFateOf(fates.get(orderId), order.files_delete_at),
    reached,
    cancelReason: reasons.get(orderId) ?? null,
  };
}

function orderFacts(order: OwnOrderRecord) {
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    fulfilment: order.fulfilment,
    pickupCode: awaitsPickup(order) ? order.pickup_code : null,
    totalPaise: order.total_paise,
    paidAt: order.paid_at,
    stars: order.stars,
    upiId: order.upiId,
    placedAt: order.created_at,
    shop: { id: order.shop_id, ...agreedShop(order) },
    address: agreedAddress(order),
    message: order.message,
    pages: order.pages,
    copies: order.copies,
  };
}
