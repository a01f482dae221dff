import { expect, test } from "vitest";
import { readAuditFilter } from "#admin/features/audit/audit-filter.ts";
import { readBookSearch } from "#admin/features/book/book-search.ts";
import { pageRequest, readOrdersSearch } from "#admin/features/orders/orders-search.ts";
import { readStatsSearch } from "#admin/features/stats/stats-period.ts";
import { momentsOf } from "#admin/lib/days.ts";

test.each([readBookSearch, readStatsSearch])(
  "an address of the console names a period or none: %o",
  (read) => {
    expect(read({ period: "7-days" }).period).toBe("7-days");
    for (const period of ["7 days", "toString", "constructor", 7, ["7-days"]])
      expect(read({ period }).period).toBeUndefined();
  },
);

test("both days of a filter are whole, in India", () => {
  const oneDay = { fromDay: "2026-11-21", untilDay: "2026-11-21" };
  const whole = { from: "2026-11-20T18:30:00.000Z", until: "2026-11-21T18:30:00.000Z" };
  expect(pageRequest(readOrdersSearch(oneDay), undefined)).toMatchObject(whole);
  expect(momentsOf(readAuditFilter(oneDay))).toEqual(whole);
});
