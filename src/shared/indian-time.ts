import { DAY_MS, HOUR_MS } from "./durations.ts";

/** India is 5.5 hours ahead of UTC, all year. */
const INDIA_MS = 5.5 * HOUR_MS;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/** For example "21 Nov 2026, 3:00 pm IST". */
export function indianTime(timestamp: string): string {
  return `${indianMoment(timestamp)} IST`;
}

/** The same where all times are those of the shops: "21 Nov 2026, 3:00 pm". */
export function indianMoment(timestamp: string): string {
  return `${indianDate(timestamp)}, ${clock(Date.parse(timestamp))}`;
}

/** As spreadsheets read a date with its time: "2026-11-21 15:00". */
export function spreadsheetTime(timestamp: string): string {
  return inIndia(Date.parse(timestamp)).toISOString().slice(0, 16).replace("T", " ");
}

/** For example "21 Nov 2026". */
export function indianDate(timestamp: string): string {
  const moment = Date.parse(timestamp);
  return `${dayAndMonth(moment)} ${inIndia(moment).getUTCFullYear()}`;
}

/** For example "2:05 pm", and "21 Nov, 2:05 pm" of another day than today. */
export function indianClock(moment: number, now = Date.now()): string {
  const isToday = indianDay(new Date(moment)) === indianDay(new Date(now));
  return isToday ? clock(moment) : `${dayAndMonth(moment)}, ${clock(moment)}`;
}

/** A date whose UTC fields are those of India's clocks. */
function inIndia(moment: number): Date {
  return new Date(moment + INDIA_MS);
}

function dayAndMonth(moment: number): string {
  const date = inIndia(moment);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
}

function clock(moment: number): string {
  const date = inIndia(moment);
  const hours = date.getUTCHours();
  const minutes = String(date.getUTCMinutes()).padStart(2, "0");
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? "am" : "pm"}`;
}

/** A calendar day in India, for example `2026-11-21`; sorts as text. */
export type Day = string;

/** The day in India at this moment, whatever the time zone of the computer. */
export function indianDay(moment: Date | string): Day {
  return toDay(new Date(moment).getTime() + INDIA_MS);
}

/** 0 for Monday. */
export function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

/** When this day begins in India, as ISO 8601 in UTC. */
export function startOfDay(day: Day): string {
  return new Date(Date.parse(day) - INDIA_MS).toISOString();
}

/** The day `count` days later; earlier if negative. */
export function addDays(day: Day, count: number): Day {
  return toDay(Date.parse(day) + count * DAY_MS);
}

/** All days from the first to the last, both included. */
export function daysBetween(first: Day, last: Day): Day[] {
  return Array.from({ length: countDays(first, last) }, (_, index) => addDays(first, index));
}

/** The number of days from the first to the last, both included; 0 or less if they are in the wrong order. */
export function countDays(first: Day, last: Day): number {
  return (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
}

function toDay(utcMs: number): Day {
  return new Date(utcMs).toISOString().slice(0, 10);
}
