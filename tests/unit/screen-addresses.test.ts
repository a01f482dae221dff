import { expect, test } from "vitest";
import { readBookSearch } from "#admin/features/book/book-search.ts";
import { readStatsSearch } from "#admin/features/stats/stats-period.ts";

test.each([readBookSearch, readStatsSearch])(
  "an address of the console names a period or none: %o",
  (read) => {
    expect(read({ period: "7-days" }).period).toBe("7-days");
    for (const period of ["7 days", "toString", "constructor", 7, ["7-days"]])
      expect(read({ period }).period).toBeUndefined();
  },
);
