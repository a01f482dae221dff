import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { uuidv7 } from "#server/lib/crypto.ts";
import type { LoadPlan } from "./rows.ts";

/** Random values that are the same for the same seed. */
export interface Dice {
  /** A whole number, both bounds included. */
  int(from: number, to: number): number;
  /** True with this probability. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** An entry; earlier ones are more frequent, as with names. */
  favour<T>(list: readonly T[]): T;
  /** A duration that is mostly short and sometimes long. */
  around(mean: number): number;
  /** A UUID. */
  id(): string;
  /** An id as the store creates it at this time, in ms. */
  idAt(time: number): string;
}

export function createDice(seed: number): Dice {
  const generator = xoroshiro128plus(seed);
  const int = (from: number, to: number) => uniformInt(generator, from, to);
  const share = () => int(0, 0xffff_fffe) / 0xffff_ffff;
  const at = <T>(list: readonly T[], index: number) => list[index] as T;
  const id = () => {
    const hex = Array.from({ length: 4 }, () => int(0, 0xffff_ffff).toString(16).padStart(8, "0")).join("");
    const variant = at(["8", "9", "a", "b"], int(0, 3));
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `${variant}${hex.slice(17, 20)}`,
      hex.slice(20),
    ].join("-");
  };
  return {
    int,
    chance: (wanted) => share() < wanted,
    pick: (list) => at(list, int(0, list.length - 1)),
    favour: (list) => at(list, Math.floor(share() ** 2 * list.length)),
    around: (mean) => -Math.log(1 - share()) * mean,
    id,
    idAt: (time) => uuidv7(time, id()),
  };
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const INDIA_MS = 330 * MINUTE_MS;

/** How busy shops are by hour in India, from midnight, and by weekday, from Sunday. */
const BY_HOUR = [2, 1, 0, 0, 0, 0, 1, 3, 8, 12, 11, 10, 8, 8, 9, 10, 11, 12, 11, 10, 9, 8, 6, 4];
const BY_WEEKDAY = [4, 10, 10, 10, 10, 9, 6];
const BUSIEST = Math.max(...BY_HOUR) * Math.max(...BY_WEEKDAY);

/** The times of the orders, in ms, oldest first: more by day than by night, and few on Sundays. */
export function placedMoments(dice: Dice, { orders, days, until }: LoadPlan): number[] {
  const end = until.getTime();
  const moments: number[] = [];
  while (moments.length < orders) {
    const at = end - dice.int(0, days * DAY_MS - 1);
    if (dice.int(1, BUSIEST) <= businessAt(at)) moments.push(at);
  }
  return moments.sort((one, other) => one - other);
}

function businessAt(at: number): number {
  const inIndia = new Date(at + INDIA_MS);
  return (BY_HOUR[inIndia.getUTCHours()] ?? 0) * (BY_WEEKDAY[inIndia.getUTCDay()] ?? 0);
}

const ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Makes unique order numbers such as `K7M4-Q2XD`. */
export function createNumbers(dice: Dice): () => string {
  const made = new Set<string>();
  const group = () => Array.from({ length: 4 }, () => dice.pick([...ALPHABET])).join("");
  return () => {
    for (;;) {
      const number = `${group()}-${group()}`;
      if (made.has(number)) continue;
      made.add(number);
      return number;
    }
  };
}

/** Holds rows back until all earlier ones are there, so that they are written in the order of a real store. */
export class TimeOrderedRows<Row extends { created_at: string }> {
  #waiting: Row[] = [];

  add(rows: Row[]): void {
    this.#waiting.push(...rows);
  }

  /** Removes and returns the rows up to this time, or all, oldest first. */
  take(until?: string): Row[] {
    const isDue = (row: Row) => until === undefined || row.created_at <= until;
    const due = this.#waiting.filter(isDue);
    this.#waiting = this.#waiting.filter((row) => !isDue(row));
    return due.sort((one, other) => one.created_at.localeCompare(other.created_at));
  }
}
