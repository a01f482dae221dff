/** The state of a report of a printing error; `ordered` once the student has ordered the accepted reprint. */
export const REPRINT_STATES = ["reported", "accepted", "declined", "ordered"] as const;
export type ReprintState = (typeof REPRINT_STATES)[number];

/** How many days after its delivery an error can be reported. */
export const REPORT_DAYS = 3;
export const MAX_REPORT_PHOTOS = 5;

const REPORT_MS = REPORT_DAYS * 24 * 60 * 60 * 1000;

/** Until when errors of an order delivered then can be reported; both ISO 8601 in UTC. */
export function reportableUntil(deliveredAt: string): string {
  return new Date(Date.parse(deliveredAt) + REPORT_MS).toISOString();
}

/** The file of an order that an uploaded one with another content stands for: of the same name, or else in its place. */
export function likelyOriginal<File extends { name: string }>(
  printed: readonly File[],
  name: string | undefined,
  place: number,
): File | undefined {
  const inPlace = printed[place];
  return inPlace?.name === name ? inPlace : (printed.find((file) => file.name === name) ?? inPlace);
}
