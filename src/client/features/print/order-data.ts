import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { toRupees } from "#shared/money.ts";
import { namesByField, OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { type OrderJob, PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import type { Quote } from "#shared/pricing.ts";
import {
  chosenPagesText,
  type FilePages,
  firstPages,
  NO_PAGES,
  pagesWithout,
  printedPages,
  writePrinted,
} from "#shared/print-pages.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { layoutOf } from "#shared/sheet-layout.ts";
import { codeOf } from "#ui/errors.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { localItems } from "../../lib/storage.ts";
import { type OrderPageData, type PrintFile, summariseUploads } from "../files/print-file.ts";
import type { Draft, JobWish } from "./draft.ts";
import type { ChosenOptions, PlannedJob } from "./print-plan.ts";

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
  return {
    shopId: shop._id,
    shopName: shop.shopName,
    shopLocation: shop.shopLocation,
    shopEmail: shop.email,
    shopContactNumber: shop.contactNumber,
    noOfPages: pages,
    noOfCopies: copies,
    ...namesByField(options),
    message: draft.message.trim(),
    userEmail,
    filesUrl,
    ...toPageRanges(orderPageData),
    subTotal: toRupees(quote.subTotalPaise),
  };
}

/** The jobs as they are sent: after the first, their pages, and what differs from the options of the first. */
export function toJobs(files: readonly OrderPageData[], jobs: readonly PlannedJob[]): JobWish[] {
  const [first] = jobs;
  return jobs.map(({ job, options }, at) => {
    if (at === 0) return layoutOf(job);
    return {
      ...layoutOf(job),
      pageRanges: files.flatMap(({ id }, at) => {
        const pages = job.pageRanges[at] ?? "1-";
        return pages === NO_PAGES ? [] : [{ public_id: id, pages }];
      }),
      options: Object.fromEntries(
        OPTION_KINDS.filter((kind) => options[kind] !== first?.options[kind]).map((kind) => [
          OPTION_FIELDS[kind].orderField,
          options[kind].name,
        ]),
      ),
    };
  });
}

/** The field `jobs` of a placed order: left out where each page is printed on a side of its own. */
export function jobsField(jobs: JobWish[]): Pick<PlaceOrderRequest, "jobs"> {
  return jobs.length === 1 && jobs[0]?.pagesPerSide === 1 ? {} : { jobs };
}

/** Repeats a placed order that got no response, twice; its idempotency key makes that safe. For `retry` of a mutation. */
export function resendUnanswered(resends: number, error: unknown): boolean {
  return resends < 2 && codeOf(error) === null;
}

/** The jobs that the server makes of an order: each after the first prints the pages that it names, and the first the others. */
export function jobsOf(
  files: readonly (FilePages & { id: string })[],
  [first = PLAIN_LAYOUT, ...others]: JobWish[],
): OrderJob[] {
  const named = others.map((wish) => ({
    wish,
    pages: files.map(({ id, pages }) => {
      const named = wish.pageRanges?.find(({ public_id }) => public_id === id);
      return named ? printedPages({ pages, pageRanges: named.pages }) : [];
    }),
  }));
  const left = files.map((file, at) =>
    named.reduce((rest, part) => pagesWithout(rest, part.pages[at] ?? []), printedPages(file)),
  );
  return [{ wish: first, pages: left }, ...named].map(({ wish, pages: ofFiles }) => ({
    ...layoutOf(wish),
    pageRanges: files.map(({ pages }, at) => writePrinted(ofFiles[at] ?? [], pages)),
  }));
}

/** Empty if every file is printed whole. */
function toPageRanges(files: readonly OrderPageData[]): Pick<OrderDataRequest, "pageRanges"> {
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
export function orderedFiles(data: OrderedFiles, files: readonly PrintFile[]) {
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
): (FilePages & { id: string })[] {
  const uploaded = filesUrl.map((url) => uploadedAs(url, files)?.uploaded);
  const chosen = takeWhileKnown(uploaded).map(({ id, pages }) => {
    const named = pageRanges.find(({ public_id }) => public_id === id);
    return { id, pages, pageRanges: named?.pages ?? null };
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

/** The client state `order` of the contract, stored in local storage, from which the checkout reads it. */
export interface OrderState {
  address: DeliveryAddress | null;
  orderData: OrderDataRequest | null;
}

export const orderStore = createStore<OrderState>(() => ({ address: null, orderData: null }));
onPersonalDataCleared(() => orderStore.setState({ orderData: null, address: null }));

/** The order of this user; an order of somebody else in this browser is not shown. */
export function useOrder(userEmail: string): OrderState {
  const { address, orderData } = useStore(orderStore);
  return { address, orderData: orderData?.userEmail === userEmail ? orderData : null };
}

export function saveOrderData(orderData: OrderDataRequest): void {
  localItems.set("orderData", orderData);
  orderStore.setState({ orderData });
}

export function saveOrderAddress(address: DeliveryAddress): void {
  localItems.set("address", address);
  orderStore.setState({ address });
}

/** Whether this tab or another one has stored other order data than this since. */
export function isOtherStored(orderData: OrderDataRequest): boolean {
  const stored = localItems.get("orderData") ?? orderStore.getState().orderData;
  return stored !== null && JSON.stringify(stored) !== JSON.stringify(orderData);
}

/** Clears the stored order, with its address, where each of its files is one of these. */
export function clearOrderOf(urls: readonly string[]): void {
  const stored = localItems.get("orderData") ?? orderStore.getState().orderData;
  const { filesUrl } = (stored ?? {}) as Partial<OrderDataRequest>;
  if (Array.isArray(filesUrl) && filesUrl.every((url) => urls.includes(url))) clearOrder();
}

/** Clears order data and address. */
export function clearOrder(): void {
  localItems.remove("orderData");
  localItems.remove("address");
  orderStore.setState({ orderData: null, address: null });
}
