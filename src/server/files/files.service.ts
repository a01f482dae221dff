import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { fileIdOf } from "./files.links.ts";
import { claimFiles, type FileRecord, findFilesOf } from "./files.queries.ts";

export { fileUrl, signFileUrl } from "./files.links.ts";
export { isFileRecorded } from "./files.queries.ts";

/** One file of an order to be. */
export interface OwnFile {
  id: string;
  pages: number;
  originalFilename: string;
  bytes: number;
  /** SHA-256 of its content, in hex. */
  sha256: string;
}

/**
 * The user's own files that these URLs name, in their order. Throws INVALID_INPUT for a URL that names none of
 * them or one of them twice, and CONFLICT for a file that is deleted or ordered already.
 */
export async function resolveOwnFiles(
  ctx: Context<SignedIn>,
  db: Db | Trx,
  urls: string[],
): Promise<OwnFile[]> {
  const ids = urls.map((url, index) => fileIdOf(url, ctx.origins) ?? refuse(index, NOT_YOURS));
  const files = await findFilesOf(db, ctx.actor.user._id, ids);
  const byId = new Map(files.map((file) => [file.id, file]));
  return ids.map((id, index) => {
    const file = byId.get(id) ?? refuse(index, NOT_YOURS);
    if (ids.indexOf(id) < index) refuse(index, `“${file.original_filename}” is listed twice`);
    checkOrderable(file);
    return toOwnFile(file);
  });
}

const NOT_YOURS = "One of the files was not uploaded here by you. Please upload it again";

function refuse(index: number, message: string): never {
  throw new AppError("INVALID_INPUT", message, {
    issues: [{ path: `orderData.filesUrl.${index}`, message }],
  });
}

function checkOrderable({ original_filename: name, deleted_at, order_id }: FileRecord): void {
  if (deleted_at) throw new AppError("CONFLICT", `“${name}” has been deleted. Please upload it again`);
  if (order_id) throw new AppError("CONFLICT", `“${name}” belongs to another order. Please upload it again`);
}

function toOwnFile({ id, pages, original_filename, bytes, sha256 }: FileRecord): OwnFile {
  return { id, pages, originalFilename: original_filename, bytes, sha256 };
}

/** Gives the files to the order. Throws CONFLICT when one of them was deleted or ordered meanwhile. */
export async function attachFiles(
  trx: Trx,
  claim: { orderId: string; ownerId: string; fileIds: string[] },
): Promise<void> {
  const claimed = await claimFiles(trx, claim);
  if (claimed.length === claim.fileIds.length) return;
  throw new AppError("CONFLICT", "One of the files was ordered or deleted meanwhile. Please upload it again");
}
