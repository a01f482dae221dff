import { DAY_MS } from "./durations.ts";

/** The state of a report of a printing error; `ordered` once the student has ordered the accepted reprint. */
export const REPRINT_STATES = ["reported", "accepted", "declined", "ordered"] as const;
export type ReprintState = (typeof REPRINT_STATES)[number];

/** How many days after its delivery an error can be reported. */
export const REPORT_DAYS = 3;
export const MAX_REPORT_PHOTOS = 5;

const REPORT_MS = REPORT_DAYS * DAY_MS;

/** Until when errors of an order delivered then can be reported; both ISO 8601 in UTC. */
export function reportableUntil(deliveredAt: string): string {
  return new Date(Date.parse(deliveredAt) + REPORT_MS).toISOString();
}

interface NamedPages {
  name: string;
  pages: number;
}

/**
 * The file of an order that the uploaded one at this place stands for: of the same name, or else with as many pages, or else in
 * its place. Never a file whose name another uploaded file has.
 */
export function likelyOriginal<File extends NamedPages>(
  printed: readonly File[],
  uploaded: readonly NamedPages[],
  place: number,
): File | undefined {
  const inPlace = printed[place];
  const pick = (files: readonly File[]) => files.find((file) => file === inPlace) ?? files[0];
  const file = uploaded[place];
  const free = printed.filter(({ name }) => !uploaded.some((other) => other.name === name));
  return (
    pick(printed.filter(({ name }) => name === file?.name)) ??
    pick(free.filter(({ pages }) => pages === file?.pages)) ??
    pick(free) ??
    inPlace
  );
}
