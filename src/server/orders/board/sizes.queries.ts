import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "#db/database.ts";
import { agreedFiles, agreedJobs } from "#shared/order-jobs.ts";
import { type OrderState, PRINTABLE_STATES } from "#shared/order-states.ts";
import { type SizeNotes, sizeNotesOf } from "#shared/paper-sizes.ts";

/**
 * The notes that were found last, by order id, and the hash of what they were found from: to read thousands of pages of
 * alternating sizes again with every board would stop the server for everybody.
 */
const found = new LRUCache<string, { from: string; notes: SizeNotes }>({ max: 5000 });

/** The notes of orders that may still be printed, by id; those with nothing to ask are left out. */
export async function findSizeNotes(
  db: Db,
  orders: readonly { id: string; state: OrderState }[],
): Promise<Map<string, SizeNotes>> {
  const ids = orders.filter(({ state }) => PRINTABLE_STATES.includes(state)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const files = await db
    .selectFrom("order_files")
    .innerJoin("files", "files.id", "order_files.file_id")
    .innerJoin("orders", "orders.id", "order_files.order_id")
    .select(["orders.id as orderId", "orders.pages as ordered", "orders.jobs"])
    .select(["order_files.page_ranges as pageRanges", "files.pages", "files.page_sizes as pageSizes"])
    .where("order_files.order_id", "in", ids)
    .where("files.deleted_at", "is", null)
    .orderBy("order_files.position")
    .execute();
  const papers = await db
    .selectFrom("order_lines")
    .select(["order_id", "kind", "name"])
    .where("order_id", "in", ids)
    .where("kind", "=", "paperSizes")
    .orderBy("job")
    .execute();
  const papersBy = Map.groupBy(papers, ({ order_id }) => order_id);
  return new Map(
    [...Map.groupBy(files, ({ orderId }) => orderId)].flatMap(([id, own]) => {
      const [{ ordered = 0, jobs = null } = {}] = own;
      const lines = (papersBy.get(id) ?? []).map((line) => [line]);
      const from = createHash("sha256")
        .update(JSON.stringify([own, lines]))
        .digest("base64url");
      const known = found.get(id);
      const order = { pages: ordered, jobs };
      const notes =
        known?.from === from
          ? known.notes
          : sizeNotesOf(agreedFiles(order, own), agreedJobs(order, own), lines);
      found.set(id, { from, notes });
      return notes.some((note) => note !== null) ? [[id, notes] as const] : [];
    }),
  );
}
