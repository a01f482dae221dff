import type { Readable } from "node:stream";
import { makeZip } from "client-zip";
import type { Context } from "../context.ts";
import { readFile } from "../files/files.reading.service.ts";
import type { OrderDetail } from "../queue/queue.detail.service.ts";

/** What the file systems of shops cannot have in a name. */
const FORBIDDEN = /[<>:"/\\|?*\p{Cc}]/gu;

/** The files of an order as they were uploaded, in one archive. They are read one after the other, as it is. */
export function zipOriginals(
  ctx: Context,
  { files }: Pick<OrderDetail, "files">,
): ReadableStream<Uint8Array> {
  return makeZip(entries(ctx, files));
}

async function* entries(ctx: Context, files: OrderDetail["files"]) {
  for (const [index, { id, name: original }] of files.entries()) {
    const name = entryName(original, index);
    const lastModified = ctx.now();
    const input = await openOriginal(ctx, id);
    if (input) yield { name, lastModified, input };
    else
      yield { name: `${name} is missing.txt`, lastModified, input: "It could not be read from the store.\n" };
  }
}

/** Null for a file that the store has lost: the others are of use without it. */
async function openOriginal(ctx: Context, id: string): Promise<Readable | null> {
  try {
    const file = await readFile(ctx, { id });
    return await file.open();
  } catch (error) {
    ctx.log.error({ err: error, fileId: id, requestId: ctx.requestId }, "an original could not be read");
    return null;
  }
}

/** Such as `02 Thesis.pdf`: the number keeps the order of the files, and names apart that are the same. */
export function entryName(name: string, index: number): string {
  const safe = name.replace(FORBIDDEN, "_");
  return `${String(index + 1).padStart(2, "0")} ${/\.pdf$/i.test(safe) ? safe : `${safe}.pdf`}`;
}
