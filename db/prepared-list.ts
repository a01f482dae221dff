import type { Compilable, RawBuilder } from "kysely";
import type { Db } from "./open.ts";
import { type Placeholders, PreparedQuery } from "./prepared-query.ts";
import type { Trx } from "./transaction.ts";

type Build<Row, Values> = (
  db: Db | Trx,
  keys: RawBuilder<string>[],
  values: Placeholders<Values>,
) => Compilable<Row>;

/** The keys under their places in the list. */
type Keys = Record<number, string>;

/** A list is filled up to the next of these lengths; a longer one is asked for in parts. */
const LENGTHS = [1, 4, 16, 64];
const LONGEST = 64;

/**
 * A query for what is found under any of some keys, built and compiled once for each of few lengths of the list. A list
 * is filled up by naming its last key again.
 */
export class PreparedList<Row, Values extends object = object> {
  readonly #queries: ReadonlyMap<number, PreparedQuery<Keys & Values, Row>>;

  /** `build` is called with placeholders, as in `(db, ids, { at }) => ….where("id", "in", ids)`. */
  constructor(build: Build<Row, Values>) {
    const queryFor = (length: number) =>
      new PreparedQuery((db, values: Placeholders<Keys & Values>) =>
        build(
          db,
          Array.from({ length }, (_, at) => values[at] as RawBuilder<string>),
          values,
        ),
      );
    this.#queries = new Map(LENGTHS.map((length) => [length, queryFor(length)]));
  }

  async rows(db: Db | Trx, keys: readonly string[], values: Values): Promise<Row[]> {
    if (keys.length > LONGEST) {
      const first = await this.rows(db, keys.slice(0, LONGEST), values);
      return [...first, ...(await this.rows(db, keys.slice(LONGEST), values))];
    }
    const last = keys.at(-1);
    if (last === undefined) return [];
    const length = LENGTHS.find((fits) => fits >= keys.length) ?? LONGEST;
    const filledUp = Array.from({ length }, (_, at) => keys[at] ?? last);
    return (await this.#queries.get(length)?.rows(db, { ...filledUp, ...values })) ?? [];
  }
}
