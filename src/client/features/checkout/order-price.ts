import { toPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { jobOf, printedSidesOfEach } from "#shared/order-jobs.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import { priceJob, type Quote } from "#shared/pricing.ts";
import { type PlaceOrderRequest, placedOrder } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { type SheetLayout, sidesOf } from "#shared/sheet-layout.ts";
import type { PrintFile } from "../files/print-file.ts";
import { type OrderDataRequest, orderedPages } from "../print/order-data.ts";
import type { ChosenOptions } from "../print/print-plan.ts";

/** The four figures of an order in rupees. */
export type OrderAmounts = PlaceOrderRequest["orderValue"];

/** The stored order data, and what its draft has beside it. */
export interface StoredOrder {
  data: OrderDataRequest;
  files: readonly PrintFile[];
  layout: SheetLayout;
}

/**
 * The order at the shop's present prices; null if the shop no longer offers a chosen option. Where the draft `files` no longer
 * has an ordered file, its sheets are counted as if all pages were one document: the server corrects the price.
 */
export function priceOrder(shop: Shop, order: StoredOrder, fulfilment: Fulfilment): Quote | null {
  const { data } = order;
  const chosen = OPTION_KINDS.map((kind) => {
    const name = data[OPTION_FIELDS[kind].orderField];
    return [kind, shop[kind].find((option) => option.name === name)] as const;
  });
  if (chosen.some(([, option]) => !option)) return null;
  const options = Object.fromEntries(chosen) as ChosenOptions;
  return priceJob({ pages: sidesOfOrder(order), copies: Number(data.noOfCopies), options, fulfilment });
}

/** The printed pages of each file, or of all together where the draft no longer has one of them. */
export function sidesOfOrder({ data, files, layout }: StoredOrder): number[] {
  const printed = orderedPages(data, files);
  return printed.length === data.filesUrl.length
    ? printedSidesOfEach(printed, jobOf(printed, layout))
    : [sidesOf(Number(data.noOfPages), layout)];
}

/** The right amounts that the server sent with PRICE_CHANGED. */
export function parseAmounts(figures: unknown): OrderAmounts | null {
  return placedOrder.shape.orderValue.safeParse(figures).data ?? null;
}

/** Comparing the subtotal is enough: tax and fee follow from it. */
export function isAgreed(data: OrderDataRequest, figures: OrderAmounts): boolean {
  return toPaise(Number(data.subTotal)) === toPaise(Number(figures.subTotal));
}

/** How the shop is paid, before there is an order. */
export function paymentText({ takesUpi }: Shop, fulfilment: Fulfilment): string {
  if (takesUpi) return "By UPI, with the QR code or link that you get after ordering";
  return fulfilment === "pickup" ? "At the shop, when you pick it up" : "On delivery";
}
