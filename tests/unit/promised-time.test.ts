import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { parseOpeningHours, type Week } from "#shared/opening-hours.ts";
import {
  DEFAULT_SPEED,
  isWorking,
  nextDayOpening,
  promisedTime,
  type Schedule,
  workMinutes,
} from "#shared/promised-time.ts";

/** A Wednesday; India is 5.5 hours ahead. */
const at = (clock: string, day = "2026-11-25") => new Date(`${day}T${clock}:00+05:30`);

function hours(text: string): Schedule {
  const week = parseOpeningHours(text);
  if (typeof week === "string") throw new Error(week);
  return { week, holidays: [], closedUntil: null };
}

describe("the promised time", () => {
  const weekdays = hours("Mon-Fri 9:00-20:00; Sat 10:00-14:00");

  test.each<[string, Schedule, number, Date, Date | null]>([
    ["within the day", weekdays, 40, at("17:00"), at("17:40")],
    ["rounded up to five minutes", weekdays, 41, at("17:00"), at("17:45")],
    ["of an order at night is in the morning", weekdays, 10, at("23:30"), at("09:10", "2026-11-26")],
    ["before the opening counts from the opening", weekdays, 10, at("06:00"), at("09:10")],
    ["at the end of the day", weekdays, 20, at("19:40"), at("20:00")],
    ["over the end of the day goes on in the morning", weekdays, 21, at("19:40"), at("09:05", "2026-11-26")],
    ["after the week is on Monday", weekdays, 10, at("14:00", "2026-11-28"), at("09:10", "2026-11-30")],
    [
      "skips holidays in a row",
      { ...weekdays, holidays: ["2026-11-26", "2026-11-27"] },
      30,
      at("20:00"),
      at("10:30", "2026-11-28"),
    ],
    [
      "after closing early is at the next opening",
      { ...weekdays, closedUntil: at("09:00", "2026-11-26").toISOString() },
      30,
      at("15:00"),
      at("09:30", "2026-11-26"),
    ],
    [
      "of hours over midnight",
      hours("Wed 18:00-24:00; Thu 0:00-2:00"),
      60,
      at("23:30"),
      at("00:30", "2026-11-26"),
    ],
    [
      "of a night before a holiday is in that night",
      { ...hours("Daily 18:00-24:00; Daily 0:00-2:00"), holidays: ["2026-11-26"] },
      30,
      at("23:50"),
      at("00:20", "2026-11-26"),
    ],
    [
      "of an order on a holiday is not in the night after it",
      { ...hours("Daily 18:00-24:00; Daily 0:00-2:00"), holidays: ["2026-11-25"] },
      10,
      at("20:00"),
      at("18:10", "2026-11-26"),
    ],
    [
      "of a day after one without an end is its own",
      { ...hours("Wed 0:00-24:00; Thu 0:00-12:00; Fri 9-12"), holidays: ["2026-11-26"] },
      20,
      at("23:50"),
      at("09:10", "2026-11-27"),
    ],
    [
      "of a shop that never closes skips the whole holiday",
      { ...hours("Daily 0:00-24:00"), holidays: ["2026-11-26"] },
      20,
      at("23:50"),
      at("00:10", "2026-11-27"),
    ],
    ["never ends after the hours do", hours("Wed 9:00-9:02"), 1, at("09:00"), at("09:02")],
    ["is none for a shop without hours", hours(""), 10, at("12:00"), null],
    ["is none for a backlog of months", weekdays, 60 * 24 * 60, at("12:00"), null],
  ])("%s", (_rule, schedule, minutes, now, promised) => {
    expect(promisedTime(schedule, minutes, now)).toEqual(promised);
  });

  test.each<[string, Schedule, number, Date, Date | null]>([
    [
      "the last minute of the horizon of sixty days",
      hours("Daily 9:00-9:01"),
      60,
      at("12:00"),
      at("09:01", "2027-01-24"),
    ],
    ["nothing for what takes a minute more", hours("Daily 9:00-9:01"), 61, at("12:00"), null],
    [
      "nothing of the minute in which a shop closes",
      hours("Wed 9:00-12:00; Thu 9:00-12:00"),
      1,
      at("12:00"),
      at("09:05", "2026-11-26"),
    ],
  ])("takes %s", (_rule, schedule, minutes, now, promised) => {
    expect(promisedTime(schedule, minutes, now)).toEqual(promised);
  });

  test("is reckoned with 20 pages a minute and 5 minutes for an order where a shop has not said", () => {
    expect(DEFAULT_SPEED).toEqual({ pagesPerMinute: 20, handlingMinutes: 5 });
  });

  test("needs the pages at the shop's speed and the handling of each order", () => {
    const speed = { pagesPerMinute: 20, handlingMinutes: 5 };
    expect(workMinutes({ pages: 41, orders: 2 }, speed)).toBe(13);
    expect(workMinutes({ pages: 0, orders: 0 }, speed)).toBe(1);
  });
});

const week: fc.Arbitrary<Week> = fc.array(
  fc
    .uniqueArray(
      fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 24 * 60 }) }, fc.constantFrom(0, 24 * 60)),
      { maxLength: 4 },
    )
    .map((times) => times.toSorted((a, b) => a - b))
    .map((times) =>
      Array.from(
        { length: Math.floor(times.length / 2) },
        (_, i) => [times[2 * i] ?? 0, times[2 * i + 1] ?? 0] as const,
      ),
    ),
  { minLength: 7, maxLength: 7 },
);
const START = "2026-11-23";
const moment = fc
  .integer({ min: 0, max: 14 * 24 * 60 })
  .map((m) => new Date(at("00:00", START).getTime() + m * 60_000));
const schedule: fc.Arbitrary<Schedule> = fc.record({
  week,
  holidays: fc.array(
    fc.integer({ min: 0, max: 30 }).map((days) => addDays(START, days)),
    { maxLength: 8 },
  ),
  closedUntil: fc.option(moment.map((date) => date.toISOString())),
});

/** Whether the shop works in the minute that begins then, asked of the clock and the calendar of India themselves. */
function isOpenMinute({ week, holidays, closedUntil }: Schedule, ms: number): boolean {
  const clock = new Date(ms + 330 * 60_000);
  const minutes = clock.getUTCHours() * 60 + clock.getUTCMinutes();
  if (closedUntil && ms < Date.parse(closedUntil)) return false;
  const day = (clock.getUTCDay() + 6) % 7;
  const now = week[day]?.find(([from, until]) => minutes >= from && minutes < until);
  if (!now) return false;
  const evening = week[(day + 6) % 7]?.find(([from, until]) => from > 0 && until === 24 * 60);
  const isOfYesterday = now[0] === 0 && now[1] <= 12 * 60 && evening !== undefined;
  return !holidays.includes(indianDay(new Date(isOfYesterday ? ms - 24 * 60 * 60_000 : ms)));
}

describe("compared with counting every minute", () => {
  test("the promise is the end of the last minute of the work, rounded up within the hours", () => {
    fc.assert(
      fc.property(schedule, fc.integer({ min: 1, max: 2000 }), moment, (plan, minutes, now) => {
        const promised = promisedTime(plan, minutes, now)?.getTime() ?? null;
        let left = minutes;
        let ms = now.getTime();
        const end = ms + 12 * 24 * 60 * 60_000;
        while (left > 0 && ms < end) {
          if (isOpenMinute(plan, ms)) left -= 1;
          ms += 60_000;
        }
        // Beyond the model's twelve days either answer is fine.
        if (left > 0) return promised === null || promised >= end;
        while (ms % (5 * 60_000) !== 0 && isOpenMinute(plan, ms)) ms += 60_000;
        return promised === ms;
      }),
      { numRuns: 50 },
    );
  });

  test("more work is never promised earlier", () => {
    fc.assert(
      fc.property(schedule, fc.nat(2000), fc.nat(2000), moment, (plan, one, more, now) => {
        const [first, second] = [promisedTime(plan, one + 1, now), promisedTime(plan, one + 1 + more, now)];
        return second === null || (first !== null && first <= second);
      }),
    );
  });

  test("a shop works in exactly its open minutes", () => {
    fc.assert(
      fc.property(
        schedule,
        moment,
        (plan, now) => isWorking(plan, now) === isOpenMinute(plan, now.getTime()),
      ),
    );
  });

  test("after closing early it opens on a later day than these hours began, where it was closed in the minute before", () => {
    fc.assert(
      fc.property(schedule, moment, (plan, now) => {
        const next = nextDayOpening(plan, now);
        if (!next) return true;
        const always = { ...plan, closedUntil: null };
        const opens = isOpenMinute(always, next.getTime()) && !isOpenMinute(always, next.getTime() - 60_000);
        const dayBefore = at("00:00", addDays(indianDay(now), -1)).getTime();
        let begun = now.getTime();
        while (begun > dayBefore && [begun, begun - 60_000].every((ms) => isOpenMinute(always, ms)))
          begun -= 60_000;
        return opens && next > now && indianDay(next) > indianDay(new Date(begun));
      }),
    );
  });
});

test("a shop works from the minute in which it opens until the one in which it closes", () => {
  const plan = hours("Wed 9:00-20:00");
  expect(["08:59", "09:00", "19:59", "20:00"].map((clock) => isWorking(plan, at(clock)))).toEqual([
    ...[false, true, true, false],
  ]);
  const closedEarly = { ...plan, closedUntil: at("12:00").toISOString() };
  expect(["11:59", "12:00"].map((clock) => isWorking(closedEarly, at(clock)))).toEqual([false, true]);
});

test("a shop that opens at midnight opens on the next day", () => {
  expect(nextDayOpening(hours("Thu 0:00-9:00"), at("12:00"))).toEqual(at("00:00", "2026-11-26"));
});

test("closing early in the evening of hours over midnight skips the rest of the night", () => {
  const night = hours("Mon-Fri 18:00-24:00; Tue-Sat 0:00-2:00");
  for (const now of [at("23:00"), at("00:30", "2026-11-26")])
    expect(nextDayOpening(night, now)).toEqual(at("18:00", "2026-11-26"));
  const broken = hours("Daily 9-13, 14:30-20");
  expect(nextDayOpening(broken, at("12:00"))).toEqual(at("09:00", "2026-11-26"));
});
