import { copyFile, link } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { asStaff, hasShop } from "../staff/staff.access.service.ts";
import { checkLink, type FileLink } from "./files.links.ts";
import { type FileRecord, findFile, findShopOfFile } from "./files.queries.ts";
import type { StoredRange } from "./files.store.ts";

export interface ReadableFile {
  name: string;
  bytes: number;
  sha256: string;
  open(range?: StoredRange): Promise<Readable>;
  /** Puts a copy of it at this path. */
  copyTo(path: string): Promise<void>;
}

/**
 * A file for its owner, for staff of the shop that it was ordered from, or for whoever holds a signed link. To everyone
 * else it is NOT_FOUND, as a deleted one is.
 */
export async function readFile(
  ctx: Context,
  { id, link }: { id: string; link?: FileLink },
): Promise<ReadableFile> {
  const file = await findFile(ctx.readDb, id);
  if (!file || !(await mayRead(ctx, file, link))) throw new AppError("NOT_FOUND", "There is no such file");
  if (file.deleted_at) throw new AppError("NOT_FOUND", "This file has been deleted");
  return {
    name: file.original_filename,
    bytes: file.bytes,
    sha256: file.sha256,
    open: (range) => ctx.files.read(file.storage_key, range),
    copyTo: (path) => ctx.files.withLocalFile(file.storage_key, (local) => duplicate(local, path)),
  };
}

async function mayRead(ctx: Context, file: FileRecord, link: FileLink | undefined): Promise<boolean> {
  if (ctx.actor.kind === "user" && ctx.actor.user._id === file.owner_id) return true;
  if (await isForTheirShop(ctx, file)) return true;
  if (!link) return false;
  const verdict = checkLink(ctx, file.id, link);
  if (verdict === "expired") throw new AppError("NOT_FOUND", "This link has expired");
  return verdict === "good";
}

async function isForTheirShop(ctx: Context, file: FileRecord): Promise<boolean> {
  const { actor, readDb } = ctx;
  if (!file.order_id || actor.kind === "guest" || actor.user.role === "customer") return false;
  const shopId = await findShopOfFile(readDb, file.id);
  return shopId !== undefined && hasShop(await asStaff(ctx, actor.user), shopId);
}

/** Kept files never change, so a second name for the same bytes is a copy, where the disk can give one. */
async function duplicate(path: string, copy: string): Promise<void> {
  await link(path, copy).catch(() => copyFile(path, copy));
}
