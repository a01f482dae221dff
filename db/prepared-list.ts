import type { Compilable, RawBuilder } from "kysely";
import type { Db } from "./open.ts";
import { type Placeholders, PreparedQuery } from "./prepared-query.ts";
import type { Trx } from "./transaction.ts";

type Build<Row> = (db: Db | Trx, keys: RawBuilder<string>[]) => Compilable<Row>;

/** A list is filled up to the next of these lengths; a longer one is asked for in parts. */
const LENGTHS = [1, 4, 16, 64];
const LONGEST = 64;

/**
 * A query for what is found under any of some keys, built and compiled once for each of few lengths of the list. A list
 * is filled up by naming its last key again.
 */
export class PreparedList<Row> {
  readonly #queries: ReadonlyMap<number, PreparedQuery<readonly string[], Row>>;

  /** `build` is called with placeholders, as in `(db, ids) => ….where("id", "in", ids)`. */
  constructor(build: Build<Row>) {
    const queryFor = (length: number) =>
      new PreparedQuery((db, values: Placeholders<readonly string[]>) =>
        build(
          db,
          Array.from({ length }, (_, at) => values[at] as RawBuilder<string>),
        ),
      );
    this.#queries = new Map(LENGTHS.map((length) => [length, queryFor(length)]));
  }

  async rows(db: Db | Trx, keys: readonly string[]): Promise<Row[]> {
    if (keys.length > LONGEST) {
      const first = await this.rows(db, keys.slice(0, LONGEST));
      return [...first, ...(await this.rows(db, keys.slice(LONGEST)))];
    }
    const last = keys.at(-1);
    if (last === undefined) return [];
    const length = LENGTHS.find((fits) => fits >= keys.length) ?? LONGEST;
    const filledUp = Array.from({ length }, (_, at) => keys[at] ?? last);
    return (await this.#queries.get(length)?.rows(db, filledUp)) ?? [];
  }
}
