import { LIST_ROWS, type ListPage, type ListPlace } from "#shared/schemas/paging.ts";

/** How many rows to look for: one more than are shown says whether there is another page. */
export const LOOKED_FOR = LIST_ROWS + 1;

export function toPage<Row extends ListPlace>(
  found: Row[],
  stoppedAt: ListPlace | null = null,
): ListPage<Row> {
  const rows = found.slice(0, LIST_ROWS);
  const last = rows.at(-1);
  const more = last && found.length > rows.length;
  return { rows, next: more ? { createdAt: last.createdAt, id: last.id } : stoppedAt };
}
