import type { ExpressionBuilder } from "kysely";
import type { Db } from "#db/open.ts";
import type { Schema } from "#db/schema.ts";

/** What is done with a file in the background, by the column that says that it is done. */
const DONE = { colours: "colour_checked_pages", erasure: "erased_at" } as const;

/** Takes the file for this server until `until`; false where the work is done, or another server is at it. */
export async function takeFile(
  db: Db,
  id: string,
  { work, at, until }: { work: keyof typeof DONE; at: string; until: string },
): Promise<boolean> {
  const taken = await db
    .updateTable("files")
    .set({ taken_until: until })
    .where("id", "=", id)
    .where(DONE[work], "is", null)
    .where(isFree(at))
    .returning("id")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Lets any server take it again at once. */
export async function giveFileBack(db: Db, id: string): Promise<void> {
  await db.updateTable("files").set({ taken_until: null }).where("id", "=", id).execute();
}

/** Whether no server is at work on a file at this moment. */
export function isFree(at: string) {
  return (eb: ExpressionBuilder<Schema, "files">) =>
    eb.or([eb("taken_until", "is", null), eb("taken_until", "<=", at)]);
}
