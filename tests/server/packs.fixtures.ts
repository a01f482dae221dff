import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { OrderOptionField } from "#shared/options.ts";
import { PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import { countPages, readPageRanges } from "#shared/print-pages.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { type SheetLayout, sidesOf } from "#shared/sheet-layout.ts";
import { orderFor } from "../factories/orders.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import type { TestStore } from "../setup/test-store.ts";

export interface FileToPrint {
  name: string;
  bytes: Uint8Array;
  /** The pages to print; by default all. */
  pages?: string;
}

export interface OrderToPrint {
  id: string;
  number: string;
  /** In printing order. */
  fileIds: string[];
  /** The student who placed the order. */
  visitor: ApiClient;
}

interface Wishes {
  message?: string;
  /** By default all chosen pages. */
  noOfPages?: number;
  copies?: number;
  layout?: SheetLayout;
  /** The options of the order, by name, where they are not the shop's first. */
  options?: Partial<Record<OrderOptionField, string>>;
  /** Its jobs after the first. */
  parts?: PartToPrint[];
}

/** A job after the first, with the pages that it prints by the position of their file. */
export interface PartToPrint {
  pages: Record<number, string>;
  layout?: SheetLayout;
  options?: Partial<Record<OrderOptionField, string>>;
}

/** An order by a new student with these files at this shop. */
export async function placeFiles(
  store: TestStore,
  shopId: string,
  files: FileToPrint[],
  {
    message = "Please staple at the top left",
    noOfPages,
    copies,
    layout,
    options = {},
    parts = [],
  }: Wishes = {},
): Promise<OrderToPrint> {
  const { visitor } = await signedInStudent(store);
  const filesUrl: string[] = [];
  const chosen: number[] = [];
  for (const { name, bytes, pages = "" } of files) {
    const { body } = await visitor.upload(new Uint8Array(bytes), name);
    filesUrl.push(body.secure_url);
    const reading = readPageRanges(pages, body.pages);
    chosen.push(reading.ok ? countPages(reading.ranges) : 0);
  }
  const fileIds = filesUrl.map((url) => url.split("/").at(-1) ?? "");
  const pages = noOfPages ?? sumOf(chosen);
  const request = await orderFor(visitor, {
    shopId,
    pages,
    pagesOfEach: chosen.map((count, index) =>
      sidesOf(Math.min(count, Math.max(0, pages - sumOf(chosen.slice(0, index)))), layout ?? PLAIN_LAYOUT),
    ),
    filesUrl,
    ...(copies && { copies }),
  });
  const pageRanges = files.flatMap(({ pages }, index) =>
    pages ? [{ public_id: fileIds[index] ?? "", pages }] : [],
  );
  const orderData = { ...request.orderData, ...options, message, pageRanges };
  const others = parts.map(({ pages: ofFiles, layout: own, options: others = {} }) => ({
    ...(own ?? layout),
    pageRanges: Object.entries(ofFiles).map(([at, text]) => ({
      public_id: fileIds[Number(at)],
      pages: text,
    })),
    options: others,
  }));
  const isPlain = !layout && others.length === 0;
  const order = { ...request, orderData, ...(!isPlain && { jobs: [layout ?? {}, ...others] }) };
  const { status, body } = await postAtRightPrice(visitor, order);
  if (status !== 200) throw new Error(`Placing the order answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.data._id, number: body.data.orderNumber, fileIds, visitor };
}

/** Posts the order, and once more at the figures of the server where the sent ones are not right. */
async function postAtRightPrice(visitor: ApiClient, order: PlaceOrderRequest): Promise<ApiAnswer> {
  const answer = await visitor.post("/api/v1/prints/printorder", order);
  const orderValue = answer.body.data?.orderValue;
  if (answer.body.code !== "PRICE_CHANGED") return answer;
  const orderData = { ...order.orderData, subTotal: orderValue.subTotal };
  return visitor.post("/api/v1/prints/printorder", { ...order, orderData, orderValue });
}

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** @param part of an order with several, from 1 */
export function packPath({ id }: { id: string }, part?: number): string {
  return `/admin/orders/${id}/pack.pdf${part ? `?part=${part}` : ""}`;
}

/** The response with its bytes. */
export async function download(
  visitor: ApiClient,
  path: string,
): Promise<Pick<ApiAnswer, "status" | "headers"> & { bytes: Uint8Array }> {
  const response = await visitor.fetch(path);
  const { status, headers } = response;
  return { status, headers, bytes: new Uint8Array(await response.arrayBuffer()) };
}

/** The files in the folder where packs are made. */
export async function packsInWork({ dataDir }: TestStore): Promise<string[]> {
  return readdir(join(dataDir, "packs")).catch(() => []);
}
