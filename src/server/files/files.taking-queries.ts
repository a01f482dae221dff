import type { ExpressionBuilder } from "kysely";
import type { Db } from "#db/open.ts";
import type { Schema } from "#db/schema.ts";

/**
 * What is done with a file in the background: the first as long as it is there, the second once it is deleted, which ends
 * whatever hold the first had on it. `done` is the column that says that it is done.
 */
const WORKS = {
  colours: { done: "colour_checked_pages", deleted: "is" },
  erasure: { done: "erased_at", deleted: "is not" },
} as const;
export type FileWork = keyof typeof WORKS;

/** Takes the file for this server until `until`; false where there is nothing to do, or another server is at it. */
export async function takeFile(
  db: Db,
  id: string,
  { work, at, until }: { work: FileWork; at: string; until: string },
): Promise<boolean> {
  const { done, deleted } = WORKS[work];
  const taken = await db
    .updateTable("files")
    .set({ taken_until: until })
    .where("id", "=", id)
    .where("deleted_at", deleted, null)
    .where(done, "is", null)
    .where(isFree(at))
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Lets any server take it again at once, unless it was deleted under this work's hands: then it is the eraser's. */
export async function giveFileBack(db: Db, id: string, work: FileWork): Promise<void> {
  await db
    .updateTable("files")
    .set({ taken_until: null })
    .where("id", "=", id)
    .where("deleted_at", WORKS[work].deleted, null)
    .execute();
}

/** Lets every file go that still has work to do on it, where no server of before is left. */
export async function releaseFiles(db: Db): Promise<void> {
  for (const { done, deleted } of Object.values(WORKS)) {
    await db
      .updateTable("files")
      .set({ taken_until: null })
      .where("deleted_at", deleted, null)
      .where(done, "is", null)
      .where("taken_until", "is not", null)
      .execute();
  }
}

/** Whether no server is at work on a file at this moment. */
export function isFree(at: string) {
  return (eb: ExpressionBuilder<Schema, "files">) =>
    eb.or([eb("taken_until", "is", null), eb("taken_until", "<=", at)]);
}
