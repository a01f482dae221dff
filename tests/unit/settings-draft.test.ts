import { expect, test } from "vitest";
import {
  daysOf,
  draftOf,
  isChanged,
  mergeDays,
  onTheirs,
  type SettingsDraft,
  withLatest,
  withSaved,
} from "#admin/features/shops/settings-draft.ts";

const SAVED = { speed: "20", days: "2026-12-25" };
type Values = typeof SAVED;

function typed(change: Partial<Values>, draft = draftOf(SAVED)): SettingsDraft<Values> {
  return { ...draft, values: { ...draft.values, ...change } };
}

test("holidays are read as people write them: the day first, and in any digits", () => {
  expect(daysOf("2026-12-25\n26/1/2027, 15.08.2027 ०२-१०-२०२७; Diwali")).toEqual([
    ...["2026-12-25", "2027-01-26", "2027-08-15", "2027-10-02"],
    "Diwali",
  ]);
});

test("settings that others saved are shown at once where nothing was typed, and asked about where something was", () => {
  const theirs = { ...SAVED, speed: "30" };
  expect(withLatest(draftOf(SAVED), theirs)).toEqual(draftOf(theirs));
  const draft = withLatest(typed({ days: "" }), theirs);
  expect(draft).toEqual({ base: SAVED, values: { ...SAVED, days: "" }, theirs });
  expect(withLatest(draft, SAVED).theirs).toBeNull();
});

test("what I typed is no conflict with the same that others saved, or that was saved although no answer came", () => {
  const draft = withLatest(typed({ speed: "30" }), { ...SAVED, speed: "30" });
  expect(draft).toEqual(draftOf({ ...SAVED, speed: "30" }));
  expect(isChanged(draft)).toBe(false);
});

test("what is typed while settings are saved stays, unsaved", () => {
  const sent = { ...SAVED, speed: "30 " };
  const stored = { ...SAVED, speed: "30" };
  expect(withSaved(typed(sent), { sent, stored })).toEqual(draftOf(stored));
  const since = withSaved(typed({ ...sent, days: "" }), { sent, stored });
  expect(since.values.days).toBe("");
  expect(isChanged(since)).toBe(true);
});

test("my changes applied to theirs keep each field that one of us changed, and the days of both", () => {
  const mine = typed(
    { days: "2026-12-26\n2027-01-26" },
    draftOf({ ...SAVED, days: "2026-12-25\n2026-12-26" }),
  );
  const theirs = { speed: "30", days: "2026-12-24\n2026-12-25\n2026-12-26" };
  const merged = onTheirs(withLatest(mine, theirs), { days: mergeDays });
  expect(merged).toEqual({
    base: theirs,
    values: { speed: "30", days: "2026-12-24\n2026-12-26\n2027-01-26" },
    theirs: null,
  });
});

test("a field that both changed is mine, and their days that I do not mention stay", () => {
  const merged = onTheirs(withLatest(typed({ speed: "40" }), { speed: "30", days: "" }));
  expect(merged.values).toEqual({ speed: "40", days: "" });
});
