import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { isWorthRetrying } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import type { OrderPageData } from "./print-file.ts";

/** Polling intervals in ms, from the first to the longest, while the server has not checked all files. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 8000;
const GROWTH = 1.5;

/** What was found on the pages of the uploaded files, by id. */
export function usePageChecks(files: readonly OrderPageData[]) {
  const ids = files.map(({ id }) => id).sort();
  const { data } = trpc.files.colours.useQuery(ids.length > 0 ? { ids } : skipToken, {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (state.status === "error") return isWorthRetrying(state.error) && LONGEST_PAUSE;
      if (state.data?.every(({ checkedPages }) => checkedPages !== null)) return false;
      return Math.min(FIRST_PAUSE * GROWTH ** state.dataUpdateCount, LONGEST_PAUSE);
    },
  });
  return new Map(ids.length > 0 ? data?.map((file) => [file.id, file] as const) : []);
}
