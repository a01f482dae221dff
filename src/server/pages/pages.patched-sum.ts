import { crc32 } from "node:zlib";

/** Where a mark stands in a text, in bytes. */
export interface Hole {
  at: number;
  mark: string;
}

/**
 * The CRC-32 of a text in whose holes something else stands, without a look at the text. The sum is linear: each bit by
 * which the sum of what stands in a hole differs changes the same bits of the text's, whatever else is in it.
 */
export class PatchedSum {
  readonly #plain: number;
  readonly #changes = new Map<string, Change>();

  constructor(text: Buffer, holes: readonly Hole[]) {
    this.#plain = crc32(text);
    const zeros = Buffer.alloc(text.length);
    for (const [mark, places] of Map.groupBy(holes, (hole) => hole.mark)) {
      const ends = places.map(({ at }) => at + mark.length);
      this.#changes.set(mark, { sum: crc32(mark), bits: bitsChanged(zeros, ends) });
    }
  }

  /** @param patches what stands in the holes of each mark, as long as the mark */
  of(patches: Readonly<Record<string, string>>): number {
    let sum = this.#plain;
    for (const [mark, change] of this.#changes) {
      let difference = crc32(patches[mark] ?? mark) ^ change.sum;
      for (const bits of change.bits) {
        if (difference & 1) sum ^= bits;
        difference >>>= 1;
      }
    }
    return sum >>> 0;
  }
}

interface Change {
  /** The mark's own. */
  sum: number;
  /** What of the text's sum changes with each bit of the sum of what stands in the mark's place, the lowest first. */
  bits: number[];
}

/** Lets each bit run from where it comes in, at the ends of the holes, through what follows to the text's end. */
function bitsChanged(zeros: Buffer, ends: readonly number[]): number[] {
  return Array.from({ length: 32 }, (_, bit) => {
    let sum = 0;
    let at = 0;
    for (const end of ends) {
      sum = passed(sum, zeros.subarray(at, end)) ^ (1 << bit);
      at = end;
    }
    return passed(sum, zeros.subarray(at));
  });
}

/** What becomes of a difference between two sums while the same bytes, it does not matter which, are added to both. */
function passed(difference: number, bytes: Buffer): number {
  return crc32(bytes, difference >>> 0) ^ crc32(bytes, 0);
}
