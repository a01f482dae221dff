import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatOpeningHours, type Interval, parseOpeningHours, type Week } from "#shared/opening-hours.ts";

function canonical(text: string): string {
  const week = parseOpeningHours(text);
  return typeof week === "string" ? `refused: ${week}` : formatOpeningHours(week);
}

describe("opening hours", () => {
  test.each([
    ["Mon-Sat 9:00-20:00; Sun 10:00-14:00", "Mon–Sat 9:00–20:00; Sun 10:00–14:00"],
    ["mon – sat 9 am - 8 pm", "Mon–Sat 9:00–20:00"],
    ["Daily 8-24", "Daily 8:00–24:00"],
    ["every day 12 am-12 pm", "Daily 0:00–12:00"],
    ["Monday-Friday 9-13, 14.30-20:00", "Mon–Fri 9:00–13:00, 14:30–20:00"],
    ["Tues, Thurs 9-10", "Tue 9:00–10:00; Thu 9:00–10:00"],
    ["Sat-Mon 10-12", "Mon 10:00–12:00; Sat–Sun 10:00–12:00"],
    ["Mon 14-16; Mon 9-12", "Mon 9:00–12:00, 14:00–16:00"],
    ["Mon-Sat 9-20\nSun closed", "Mon–Sat 9:00–20:00"],
    ["Mon 9-10, 10-11", "Mon 9:00–10:00, 10:00–11:00"],
    ["Weds 9-10", "Wed 9:00–10:00"],
    ["Tuesday, Wednesday, Thursday 9-10", "Tue–Thu 9:00–10:00"],
    ["Sun closed ; Mon 9-10", "Mon 9:00–10:00"],
    ["Thur 9-10", "Thu 9:00–10:00"],
    ["All days 9-10", "Daily 9:00–10:00"],
    ["Mon 1 am-1 pm", "Mon 1:00–13:00"],
    ["Mon 9:59-10", "Mon 9:59–10:00"],
    [" ; Mon9-10 ; ", "Mon 9:00–10:00"],
    ["Daily 9-20; Sun closed", "Mon–Sat 9:00–20:00"],
    ["Sun closed; Mon-Sun 9-20", "Mon–Sat 9:00–20:00"],
    ["Mon 9-5 pm", "Mon 9:00–17:00"],
    ["Mon 10-2 pm, 5 pm-9 pm", "Mon 10:00–14:00, 17:00–21:00"],
    ["Mon 9-11 am", "Mon 9:00–11:00"],
    ["Mon 12-2 pm", "Mon 12:00–14:00"],
    ["", ""],
  ])("%j are stored as %j", (text, stored) => {
    expect(canonical(text)).toBe(stored);
    expect(canonical(stored)).toBe(stored);
  });

  test.each([
    ...[
      "9-20",
      "Mon",
      "Mon 9",
      "Mon 9-25",
      "Mon 9:60-11",
      "Mon 110-12",
      "Mon 13 pm-14",
      "Mon 0 am-5",
      "- Mon 9-10",
      "Mon 9-10 or so",
      "Mon 9-10 closed",
      "Mon closed 9-10",
      "Not daily 9-10",
      "Daily and nightly 9-10",
      "Mon-Xyz 9-10",
      "Xyz-Mon 9-10",
      "Mon-Tu 9-10",
      "Atuesday 9-10",
      "Tuesx 9-10",
      "Mon x9-10",
      "Mon 9x-10",
    ],
    ...["Xyz 9-10", "Mo 9-10", "Mon-Tue-Wed 9-10", "Mon 9-10-11", "Mon, 9-10", "Mon 9-24:01", "Mon 9 to 10"],
  ])("%j are refused with an example", (text) => {
    expect(canonical(text)).toBe("refused: Write the hours like “Mon-Sat 9:00-20:00; Sun 10:00-14:00”");
  });

  test.each([
    ["Mon-Wed 9-13; Wed 12:59-14", "The hours of Wednesday overlap"],
    ["Daily 9-20; Sun 10-12", "The hours of Sunday overlap"],
    ...["Sun 2-6 pm", "Mon-Sat 5:30-9 pm", "Mon 10 am-1 pm, 2-6 pm", "Mon 12-5 am"].map((text) => [
      text,
      "Write am or pm at both times, such as 2 pm-6 pm, or use 24-hour times: 14:00-18:00",
    ]),
    ...["Mon 20-2", "Mon 9-5", "Mon 9-9"].map((text) => [
      text,
      "Each time must end after it begins. Write 17:00 for 5 pm, and after midnight the next day: Mon 18:00-24:00; Tue 0:00-2:00",
    ]),
  ])("%j are refused: %s", (text, message) => {
    expect(parseOpeningHours(text)).toBe(message);
  });

  test("survive being written and read, whatever they are", () => {
    const day = fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { maxLength: 6 }).map((times) => {
      const sorted = times.toSorted((one, other) => one - other);
      const intervals: Interval[] = [];
      for (let at = 0; at + 1 < sorted.length; at += 2)
        intervals.push([sorted[at] ?? 0, sorted[at + 1] ?? 0]);
      return intervals;
    });
    fc.assert(
      fc.property(fc.array(day, { minLength: 7, maxLength: 7 }), (week: Week) => {
        expect(parseOpeningHours(formatOpeningHours(week))).toEqual(week);
      }),
    );
  });
});
