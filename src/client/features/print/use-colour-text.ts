import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { trpc } from "#client/lib/trpc.ts";
import { colourText, countColours } from "#shared/page-colours.ts";
import type { OrderPageData } from "../files/print-file.ts";

/** The store is asked soon, then less and less often while it has not looked at all files; in ms. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const GROWTH = 1.5;

/** How many of the pages to print hold colour, as far as the store has found out; "" while there is nothing to say. */
export function useColourText(files: readonly OrderPageData[]): string {
  const ids = files.map(({ id }) => id).sort();
  const { data } = trpc.files.colours.useQuery(ids.length > 0 ? { ids } : skipToken, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.status === "error" || state.data?.every(({ checkedPages }) => checkedPages !== null)
        ? false
        : Math.min(FIRST_PAUSE * GROWTH ** state.dataUpdateCount, LONGEST_PAUSE),
  });
  if (!data || ids.length === 0) return "";
  const known = new Map(data.map((file) => [file.id, file]));
  const count = countColours(
    files.map(({ id, pages, pageRanges }) => ({
      pages,
      pageRanges,
      colourPages: known.get(id)?.colourPages ?? null,
      colourCheckedPages: known.get(id)?.checkedPages ?? null,
    })),
  );
  return count.isPending ? "Looking for colour in your files…" : (colourText(count) ?? "");
}
