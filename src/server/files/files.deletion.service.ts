import type { Trx } from "#db/transaction.ts";
import type { Context, Deps, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import {
  findFilesOf,
  findFilesToErase,
  markDeleted,
  markErased,
  markEraseFailed,
  markOrderFilesDeleted,
  markUnorderedDeleted,
  type StoredFile,
} from "./files.queries.ts";
import { workAlone } from "./files.taking.service.ts";

const UNORDERED_HOURS = 24;

/** Deletes the user's own upload. Throws NOT_FOUND when there is none, CONFLICT when it belongs to an order. */
export async function removeFile(ctx: Context<SignedIn>, { id }: { id: string }): Promise<void> {
  const ownerId = ctx.actor.user._id;
  const removed = await markDeleted(ctx.db, { id, ownerId, at: ctx.now().toISOString() });
  if (removed) return void (await eraseAlone(ctx, removed));
  const [file] = await findFilesOf(ctx.db, ownerId, [id]);
  if (!file) throw new AppError("NOT_FOUND", "There is no such file");
  if (file.order_id) throw new AppError("CONFLICT", "The file belongs to an order and cannot be removed");
}

/**
 * Takes the files of an order out of everyone's reach, within the transaction that ends the need for them, and gives
 * how many there were. `by` is null where time ran out. The caller calls `wakeEraser` after the commit, which removes their bytes.
 */
export async function deleteOrderFiles(
  trx: Trx,
  deletion: { orderId: string; by: string | null; at: string },
): Promise<number> {
  return markOrderFilesDeleted(trx, deletion);
}

type Eraser = Pick<Deps, "db" | "files" | "now" | "log">;

/** Deletes uploads that nobody ordered within 24 hours. */
export async function sweepUnordered(deps: Eraser): Promise<void> {
  const now = deps.now();
  const before = new Date(now.getTime() - UNORDERED_HOURS * 60 * 60 * 1000);
  await markUnorderedDeleted(deps.db, { before: before.toISOString(), at: now.toISOString() });
  await eraseDeleted(deps);
}

/** Removes the bytes of every deleted file, also where that failed before; none while the store does not answer. */
export async function eraseDeleted(deps: Eraser): Promise<void> {
  for (const file of await findFilesToErase(deps.db)) {
    if ((await eraseAlone(deps, file)) === "no answer") return;
  }
}

function eraseAlone(deps: Eraser, file: StoredFile) {
  return workAlone(deps, { id: file.id, work: "erasure" }, () => erase(deps, file));
}

/** Takes a deleted file's bytes out of the store; what fails is noted, for staff to see, and left to the next try. */
async function erase(
  deps: Eraser,
  { id, storage_key }: StoredFile,
): Promise<"erased" | "failed" | "no answer"> {
  try {
    await deps.files.remove(storage_key);
    await markErased(deps.db, id, deps.now().toISOString());
    return "erased";
  } catch (error) {
    deps.log.error({ err: error, fileId: id }, "a deleted file could not be erased");
    await markEraseFailed(deps.db, id, deps.now().toISOString());
    return error instanceof AppError && error.code === "UNAVAILABLE" ? "no answer" : "failed";
  }
}
