import { useEffect, useReducer } from "react";
import { asciiDigits } from "#shared/digits.ts";

/** Settings as typed, field by field. */
export type Fields = Record<string, string>;

/** Settings that are being edited. Input stays when others save meanwhile. */
export interface SettingsDraft<T extends Fields> {
  /** The saved settings that the changes were made on. */
  base: T;
  values: T;
  /** What others have saved since, until the person has decided; null if nothing. */
  theirs: T | null;
}

export function isChanged({ base, values }: SettingsDraft<Fields>): boolean {
  return !isSame(base, values);
}

/** Starts anew from settings. */
export function draftOf<T extends Fields>(saved: T): SettingsDraft<T> {
  return { base: saved, values: saved, theirs: null };
}

/** Settings have arrived: new ones are shown at once if nothing would be lost. */
export function withLatest<T extends Fields>(draft: SettingsDraft<T>, latest: T): SettingsDraft<T> {
  if (isSame(latest, draft.base)) return { ...draft, theirs: null };
  return isChanged(draft) && !isSame(latest, draft.values) ? { ...draft, theirs: latest } : draftOf(latest);
}

/** `sent` was saved, as `stored`. What was typed since stays. */
export function withSaved<T extends Fields>(
  draft: SettingsDraft<T>,
  { sent, stored }: { sent: T; stored: T },
): SettingsDraft<T> {
  return onTheirs({ base: sent, values: draft.values, theirs: stored });
}

/** How my change of a field goes together with theirs, both made on `base`. */
export type Merge = (base: string, mine: string, theirs: string) => string;

/** Applies my changes to theirs. Where both changed a field, mine wins if it has no `merge`. */
export function onTheirs<T extends Fields>(
  draft: SettingsDraft<T>,
  merge: Partial<Record<keyof T, Merge>> = {},
): SettingsDraft<T> {
  const { base, values, theirs } = draft;
  if (!theirs) return draft;
  const merged = Object.keys(base).map((name) => {
    const [was = "", mine = "", is = ""] = [base[name], values[name], theirs[name]];
    return [name, was === mine ? is : (merge[name]?.(was, mine, is) ?? mine)];
  });
  return { base: theirs, values: Object.fromEntries(merged) as T, theirs: null };
}

/** Their days with those that I added, without those that I removed. */
export const mergeDays: Merge = (base, mine, theirs) => {
  const [before, my] = [daysOf(base), daysOf(mine)];
  const kept = daysOf(theirs).filter((day) => my.includes(day) || !before.includes(day));
  return [...new Set([...kept, ...my.filter((day) => !before.includes(day))])].toSorted().join("\n");
};

/** The days in a text; one that is written as 25/12/2026 becomes 2026-12-25. */
export function daysOf(text: string): string[] {
  const written = asciiDigits(text).split(/[\s,;]+/);
  return written.filter(Boolean).map((word) => {
    const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(word) ?? [];
    return day && month && year ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : word;
  });
}

function isSame(one: Fields, other: Fields): boolean {
  return Object.keys(one).every((name) => one[name] === other[name]);
}

type Change<T extends Fields> = (draft: SettingsDraft<T>) => SettingsDraft<T>;

export function useSettingsDraft<T extends Fields>(saved: T) {
  const [draft, apply] = useReducer(
    (before: SettingsDraft<T>, change: Change<T>) => change(before),
    saved,
    draftOf,
  );
  const latest = JSON.stringify(saved);
  useEffect(() => apply((before) => withLatest(before, JSON.parse(latest))), [latest]);
  const set = <Name extends keyof T>(name: Name, value: T[Name]) =>
    apply((before) => ({ ...before, values: { ...before.values, [name]: value } }));
  return { ...draft, isChanged: isChanged(draft), set, apply };
}
