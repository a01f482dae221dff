import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { uuidAt } from "#server/lib/crypto.ts";

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
    idAt: (time) => uuidAt(time, id()),
  };
}
