import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addDays,
  countDays,
  daysBetween,
  indianClock,
  indianDay,
  indianTime,
  spreadsheetTime,
  startOfDay,
} from "#shared/indian-time.ts";

test("a moment is shown in India's time", () => {
  expect(indianTime("2026-11-21T09:30:00.000Z")).toBe("21 Nov 2026, 3:00 pm IST");
});

test("a spreadsheet gets a moment as a date that sorts, in India's time", () => {
  expect(spreadsheetTime("2026-11-20T18:35:59.999Z")).toBe("2026-11-21 00:05");
});

test("a time is told on a clock of twelve hours everywhere, with the day if it is not today", () => {
  const moment = Date.parse("2026-11-21T12:10:00.000Z");
  expect(indianTime("2026-11-21T12:10:00.000Z")).toContain(", 5:40 pm");
  expect(indianClock(moment, moment)).toBe("5:40 pm");
  expect(indianClock(moment, Date.parse("2026-11-21T18:30:00.000Z"))).toBe("21 Nov, 5:40 pm");
});

test("times are written as the browser's own words for India write them", () => {
  const clock = { hour: "numeric", minute: "2-digit", timeZone: "Asia/Kolkata" } as const;
  const short = new Intl.DateTimeFormat("en-IN", { ...clock, day: "numeric", month: "short" });
  const long = new Intl.DateTimeFormat("en-IN", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "Asia/Kolkata",
  });
  const moments = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      const at = moment.getTime();
      expect(indianTime(moment.toISOString())).toBe(`${long.format(moment)} IST`);
      expect(indianClock(at, at)).toBe(new Intl.DateTimeFormat("en-IN", clock).format(moment));
      expect(indianClock(at, at + 24 * 60 * 60 * 1000)).toBe(short.format(moment));
    }),
  );
});

test("a day begins in India five and a half hours before it does in UTC", () => {
  expect(indianDay("2026-11-20T18:29:59.999Z")).toBe("2026-11-20");
  expect(indianDay("2026-11-20T18:30:00.000Z")).toBe("2026-11-21");
  expect(indianDay(new Date("2026-11-21T18:29:59.999Z"))).toBe("2026-11-21");
  expect(startOfDay("2026-11-21")).toBe("2026-11-20T18:30:00.000Z");
});

test("days are counted over the ends of months and years, with both ends", () => {
  expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31");
  expect(daysBetween("2026-12-31", "2027-01-02")).toEqual(["2026-12-31", "2027-01-01", "2027-01-02"]);
  expect(countDays("2026-11-21", "2026-11-21")).toBe(1);
  expect(countDays("2026-11-22", "2026-11-21")).toBe(0);
});

test("a period of so many days has as many days, each the one after the other", () => {
  const days = fc
    .date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 400 }), (first, count) => {
      const period = daysBetween(first, addDays(first, count - 1));
      expect(period).toHaveLength(count);
      const calendar = new Date(first);
      for (const day of period) {
        expect(day).toBe(calendar.toISOString().slice(0, 10));
        calendar.setUTCDate(calendar.getUTCDate() + 1);
      }
    }),
  );
});
