import { toRupees } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OrderOptionField } from "#shared/options.ts";
import type { Quote } from "#shared/pricing.ts";
import { NO_PAGES } from "#shared/print-pages.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { type OrderPageData, summariseUploads } from "../files/print-file.ts";
import type { Draft } from "./draft.ts";
import type { ChosenOptions } from "./print-plan.ts";

/** The contract's order data, with its amount in rupees. */
export type OrderDataRequest = PlaceOrderRequest["orderData"];

interface OrderParts {
  shop: Shop;
  userEmail: string;
  draft: Draft;
  pages: number;
  copies: number;
  options: ChosenOptions;
  quote: Quote;
}

export function toOrderData({
  shop,
  userEmail,
  draft,
  pages,
  copies,
  options,
  quote,
}: OrderParts): OrderDataRequest {
  const { filesUrl, orderPageData } = summariseUploads(draft.files, pages);
  const optionNames = OPTION_KINDS.map((kind) => [OPTION_FIELDS[kind].orderField, options[kind].name]);
  return {
    shopId: shop._id,
    shopName: shop.shopName,
    shopLocation: shop.shopLocation,
    shopEmail: shop.email,
    shopContactNumber: shop.contactNumber,
    noOfPages: pages,
    noOfCopies: copies,
    ...(Object.fromEntries(optionNames) as Record<OrderOptionField, string>),
    message: draft.message.trim(),
    userEmail,
    filesUrl,
    ...toPageRanges(orderPageData),
    subTotal: toRupees(quote.subTotalPaise),
  };
}

/** Nothing where every file is printed whole. The number of pages says of which files none is. */
export function toPageRanges(files: readonly OrderPageData[]): Pick<OrderDataRequest, "pageRanges"> {
  const pageRanges = files.flatMap(({ id, pageRanges }) =>
    pageRanges && pageRanges !== NO_PAGES ? [{ public_id: id, pages: pageRanges }] : [],
  );
  return pageRanges.length > 0 ? { pageRanges } : {};
}
