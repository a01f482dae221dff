import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { countPages, readPageRanges } from "#shared/print-pages.ts";
import type { SheetLayout } from "#shared/sheet-layout.ts";
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
}

/** An order by a new student with these files at this shop. */
export async function placeFiles(
  store: TestStore,
  shopId: string,
  files: FileToPrint[],
  { message = "Please staple at the top left", noOfPages, copies, layout }: Wishes = {},
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
      Math.ceil(
        Math.min(count, Math.max(0, pages - sumOf(chosen.slice(0, index)))) / (layout?.pagesPerSide ?? 1),
      ),
    ),
    filesUrl,
    ...(copies && { copies }),
  });
  const pageRanges = files.flatMap(({ pages }, index) =>
    pages ? [{ public_id: fileIds[index] ?? "", pages }] : [],
  );
  const orderData = { ...request.orderData, message, pageRanges };
  const { status, body } = await visitor.post("/api/v1/prints/printorder", {
    ...request,
    orderData,
    ...(layout && { jobs: [layout] }),
  });
  if (status !== 200) throw new Error(`Placing the order answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.data._id, number: body.data.orderNumber, fileIds, visitor };
}

function sumOf(counts: number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

export function packPath({ id }: { id: string }): string {
  return `/admin/orders/${id}/pack.pdf`;
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
