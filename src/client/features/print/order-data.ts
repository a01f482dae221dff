import { toRupees } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OrderOptionField } from "#shared/options.ts";
import type { Quote } from "#shared/pricing.ts";
import { chosenPagesText, firstPages } from "#shared/print-pages.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import type { FileLine } from "../files/file-lines.tsx";
import { type OrderPageData, type PrintFile, summariseUploads } from "../files/print-file.ts";
import type { Draft } from "./draft.ts";
import type { ChosenOptions } from "./print-plan.ts";

/** The contract's order data, amounts in rupees. */
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

/** Empty if every file is printed whole. */
export function toPageRanges(files: readonly OrderPageData[]): Pick<OrderDataRequest, "pageRanges"> {
  const pageRanges = files.flatMap(({ id, pageRanges }) =>
    pageRanges ? [{ public_id: id, pages: pageRanges }] : [],
  );
  return pageRanges.length > 0 ? { pageRanges } : {};
}

/**
 * The files of the stored order data and which of their pages it prints. Names and page counts come from the draft,
 * which may have changed since: after a file that it no longer has, counts are unknown.
 */
export function orderedFiles(
  { filesUrl, pageRanges = [], noOfPages }: Pick<OrderDataRequest, "filesUrl" | "pageRanges" | "noOfPages">,
  files: readonly PrintFile[],
): FileLine[] {
  const uploaded = filesUrl.map((url) => files.find((file) => file.uploaded?.url === url));
  const chosen = takeWhileKnown(uploaded.map((file) => file?.uploaded)).map(({ id, pages }) => {
    const named = pageRanges.find(({ public_id }) => public_id === id);
    return { pages, pageRanges: named?.pages ?? null };
  });
  const printed = firstPages(chosen, Number(noOfPages));
  return filesUrl.map((url, index) => {
    const file = printed[index];
    const name = uploaded[index]?.name ?? `File ${index + 1}`;
    return { key: url, name, facts: file && chosenPagesText(file) };
  });
}

function takeWhileKnown<Item>(items: readonly (Item | null | undefined)[]): Item[] {
  const end = items.findIndex((item) => !item);
  return items.slice(0, end < 0 ? items.length : end) as Item[];
}
