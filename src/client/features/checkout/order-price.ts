import { toPaise } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { PLAIN_LAYOUT, printedSidesOfEach } from "#shared/order-jobs.ts";
import type { Fulfilment } from "#shared/order-states.ts";
import { priceOrder, type Quote } from "#shared/pricing.ts";
import { type PlaceOrderRequest, placedOrder } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { sidesOf } from "#shared/sheet-layout.ts";
import type { PrintFile } from "../files/print-file.ts";
import type { JobWish } from "../print/draft.ts";
import { jobsOf, type OrderDataRequest, orderedPages } from "../print/order-data.ts";
import type { ChosenOptions } from "../print/print-plan.ts";

/** The four amounts of an order in rupees. */
export type OrderAmounts = PlaceOrderRequest["orderValue"];

/** The stored order data, and what its draft has beside it. */
export interface StoredOrder {
  data: OrderDataRequest;
  files: readonly PrintFile[];
  jobs: JobWish[];
}

/** Whether its draft still has all of its files; true where it has none at all, as an order can be stored without a draft. */
export function isComplete({ data, files }: StoredOrder): boolean {
  return files.length === 0 || orderedPages(data, files).length === data.filesUrl.length;
}

/**
 * The order at the shop's present prices; null if the shop no longer offers a chosen option, or if a file has left the draft.
 * Without a draft its sheets are counted as if all pages were one document: the server corrects the price.
 */
export function priceStoredOrder(shop: Shop, order: StoredOrder, fulfilment: Fulfilment): Quote | null {
  const { data } = order;
  if (!isComplete(order)) return null;
  const options = order.jobs.map((job) => optionsNamed(shop, { ...data, ...job.options }));
  if (options.some((ofJob) => ofJob === null)) return null;
  const jobs = sidesOfOrder(order).map((pages, at) => ({ pages, options: options[at] as ChosenOptions }));
  return priceOrder({ jobs, copies: Number(data.noOfCopies), fulfilment });
}

function optionsNamed(shop: Shop, names: OrderDataRequest): ChosenOptions | null {
  const chosen = OPTION_KINDS.map((kind) => {
    const name = names[OPTION_FIELDS[kind].orderField];
    return [kind, shop[kind].find((option) => option.name === name)] as const;
  });
  return chosen.some(([, option]) => !option) ? null : (Object.fromEntries(chosen) as ChosenOptions);
}

/** For each job the printed pages of each file; without a draft those of all together. */
export function sidesOfOrder({ data, files, jobs }: StoredOrder): number[][] {
  if (files.length === 0) return [[sidesOf(Number(data.noOfPages), jobs[0] ?? PLAIN_LAYOUT)]];
  const printed = orderedPages(data, files);
  return jobsOf(printed, jobs).map((job) => printedSidesOfEach(printed, job));
}

/** The right amounts that the server sent with PRICE_CHANGED. */
export function parseAmounts(amounts: unknown): OrderAmounts | null {
  return placedOrder.shape.orderValue.safeParse(amounts).data ?? null;
}

/** Comparing the subtotal is enough: tax and fee follow from it. */
export function isAgreed(data: OrderDataRequest, amounts: OrderAmounts): boolean {
  return toPaise(Number(data.subTotal)) === toPaise(Number(amounts.subTotal));
}

/** How the shop is paid, before there is an order. */
export function paymentText({ takesUpi }: Shop, fulfilment: Fulfilment): string {
  if (takesUpi) return "By UPI, with the QR code or link that you get after ordering";
  return fulfilment === "pickup" ? "At the shop, when you pick it up" : "On delivery";
}
