import { z } from "zod";
import { idField } from "./fields.ts";

/** Rows per page of a list. */
export const LIST_ROWS = 25;

/** The last row of the page before, after which the next page starts; for lists sorted by age. */
const listCursor = z.object({ createdAt: z.iso.datetime(), id: idField });
export type ListCursor = z.infer<typeof listCursor>;

/** The `next` of the page before; set by React Query. */
export const pageCursor = listCursor.nullish();

/** One page of a list; `next` is null on the last. */
export interface ListPage<Row> {
  rows: Row[];
  next: ListCursor | null;
}
