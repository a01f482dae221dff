import type { Deps } from "../context.ts";
import { type FileWork, giveFileBack, takeFile } from "./files.taking-queries.ts";

/** A server that has a file for longer is taken for dead. */
const TAKEN_MS = 60 * 1000;

type Worker = Pick<Deps, "db" | "files" | "now">;

/**
 * Works on a file unless another server does, or has. Null then. A server whose files are on its own disk is the only
 * one, and need not ask.
 */
export async function workAlone<Result>(
  { db, files, now }: Worker,
  { id, work }: { id: string; work: FileWork },
  body: () => Promise<Result>,
): Promise<Result | null> {
  if (!files.isShared) return body();
  const at = now();
  const until = new Date(at.getTime() + TAKEN_MS).toISOString();
  if (!(await takeFile(db, id, { work, at: at.toISOString(), until }))) return null;
  try {
    return await body();
  } finally {
    await giveFileBack(db, id, work);
  }
}
