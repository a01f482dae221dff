import { toRupees } from "#shared/money.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OrderOptionField } from "#shared/options.ts";
import type { Quote } from "#shared/pricing.ts";
import { chosenPagesText, type FilePages, firstPages } from "#shared/print-pages.ts";
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

/** What is sent beside the order data: nothing for an order that prints each page on a side of its own. */
export function toJobs({
  layout: { pagesPerSide, hasFrames, isBooklet },
}: Pick<Draft, "layout">): Pick<PlaceOrderRequest, "jobs"> {
  return pagesPerSide === 1 ? {} : { jobs: [{ pagesPerSide, hasFrames, isBooklet }] };
}

/** Empty if every file is printed whole. */
export function toPageRanges(files: readonly OrderPageData[]): Pick<OrderDataRequest, "pageRanges"> {
  const pageRanges = files.flatMap(({ id, pageRanges }) =>
    pageRanges ? [{ public_id: id, pages: pageRanges }] : [],
  );
  return pageRanges.length > 0 ? { pageRanges } : {};
}

type OrderedFiles = Pick<OrderDataRequest, "filesUrl" | "pageRanges" | "noOfPages">;

/**
 * The files of the stored order data and which of their pages it prints. Names and page counts come from the draft,
 * which may have changed since: after a file that it no longer has, counts are unknown.
 */
export function orderedFiles(data: OrderedFiles, files: readonly PrintFile[]): FileLine[] {
  const printed = orderedPages(data, files);
  return data.filesUrl.map((url, index) => {
    const file = printed[index];
    const name = uploadedAs(url, files)?.name ?? `File ${index + 1}`;
    return { key: url, name, facts: file && chosenPagesText(file) };
  });
}

/** The pages of the ordered files up to the first that the draft no longer has. */
export function orderedPages(
  { filesUrl, pageRanges = [], noOfPages }: OrderedFiles,
  files: readonly PrintFile[],
): FilePages[] {
  const uploaded = filesUrl.map((url) => uploadedAs(url, files)?.uploaded);
  const chosen = takeWhileKnown(uploaded).map(({ id, pages }) => {
    const named = pageRanges.find(({ public_id }) => public_id === id);
    return { pages, pageRanges: named?.pages ?? null };
  });
  return firstPages(chosen, Number(noOfPages));
}

function uploadedAs(url: string, files: readonly PrintFile[]): PrintFile | undefined {
  return files.find((file) => file.uploaded?.url === url);
}

function takeWhileKnown<Item>(items: readonly (Item | null | undefined)[]): Item[] {
  const end = items.findIndex((item) => !item);
  return items.slice(0, end < 0 ? items.length : end) as Item[];
}
