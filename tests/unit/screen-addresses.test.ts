import { expect, test } from "vitest";
import {
  bookPeriodOf,
  pageRequest,
  periodOf,
  readAuditFilter,
  readBookSearch,
  readOrdersSearch,
  readStatsSearch,
} from "#admin/lib/screen-searches.ts";
import { momentsOf } from "#admin/lib/times.ts";

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

test("the table has the orders of the chosen shop, by default the open ones from the oldest on, and all filters", () => {
  const table = { shopId: "lamp-post", state: "open", sort: "oldest" };
  expect(pageRequest(readOrdersSearch({}), "lamp-post")).toEqual(table);
  const filters = { search: "Asha", state: "all", reported: true, sort: "newest", unpaid: true, paper: "A3" };
  expect(pageRequest(readOrdersSearch(filters), undefined)).toEqual(filters);
});

test.each([
  [{}, "2026-01-31", "2026-03-01"],
  [{ period: "today" }, "2026-03-01", "2026-03-01"],
  [{ period: "7-days" }, "2026-02-23", "2026-03-01"],
  [{ period: "this-month" }, "2026-03-01", "2026-03-01"],
  [{ period: "last-month" }, "2026-02-01", "2026-02-28"],
  [{ fromDay: "2025-12-24", untilDay: "2025-12-25" }, "2025-12-24", "2025-12-25"],
] as const)("on 1 March the period of %j is from %s until %s", (search, from, until) => {
  expect(periodOf(search, "2026-03-01")).toMatchObject({ from, until });
  expect(bookPeriodOf(search, "2026-03-01")).toMatchObject({ from, until });
});

test("the audit log keeps each filter of its address that it knows", () => {
  const filter = { search: "Asha", action: "shop.change", fromDay: "2026-11-21", untilDay: "2026-11-22" };
  expect(readAuditFilter(filter)).toEqual(filter);
  expect(readAuditFilter({ search: "", action: "toString", fromDay: "21 Nov", untilDay: 7 })).toEqual({});
});

test("all of the book ends today", () => {
  const all = bookPeriodOf({ period: "all-time" }, "2026-03-01");
  expect(all).toMatchObject({ until: "2026-03-01", preset: "all-time" });
  const days = { fromDay: "2025-12-24", untilDay: "2025-12-25" };
  expect(bookPeriodOf({ period: "all-time", ...days }, "2026-03-01")).toEqual({
    from: "2025-12-24",
    until: "2025-12-25",
  });
});
