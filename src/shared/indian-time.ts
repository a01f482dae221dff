import { onFirstUse } from "./on-first-use.ts";

const timeFormat = onFirstUse(
  () =>
    new Intl.DateTimeFormat("en-IN", { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Kolkata" }),
);

/** For example "21 Nov 2026, 3:00 pm IST". */
export function indianTime(timestamp: string): string {
  return `${timeFormat().format(new Date(timestamp))} IST`;
}
