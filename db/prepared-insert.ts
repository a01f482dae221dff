import type { Compilable } from "kysely";
import type { Db } from "./open.ts";
import { type Placeholders, PreparedQuery } from "./prepared-query.ts";
import type { Trx } from "./transaction.ts";

type Build<Row, Returned> = (db: Db | Trx, rows: Placeholders<Row>[]) => Compilable<Returned>;

/** Of more rows the writing takes long enough that building the statement does not show. */
const MOST_ROWS = 40;

/**
 * An insert that is built and compiled once for each number of rows and each choice of columns, and later only filled in.
 * All rows of one call have the same columns; a column that is undefined in the first of them is left out.
 */
export class PreparedInsert<Row extends object, Returned = unknown> {
  readonly #build: Build<Row, Returned>;
  readonly #queries = new Map<string, PreparedQuery<readonly unknown[], Returned>>();

  /** `build` is called with rows of placeholders, as in `(db, rows: Placeholders<FactTable>[]) => …values(rows)`. */
  constructor(build: Build<Row, Returned>) {
    this.#build = build;
  }

  /** Inserts the rows and gives what the insert returns. */
  async rows(db: Db | Trx, rows: readonly Row[]): Promise<Returned[]> {
    const [first] = rows;
    if (!first) return [];
    const columns = columnsOf(first);
    const values = rows.flatMap((row) => columns.map((column) => row[column]));
    return this.#queryFor(columns, rows.length).rows(db, values);
  }

  #queryFor(columns: (keyof Row)[], count: number): PreparedQuery<readonly unknown[], Returned> {
    const shape = `${count} ${columns.join()}`;
    const known = this.#queries.get(shape);
    if (known) return known;
    const isKept = count <= MOST_ROWS;
    const query = new PreparedQuery(
      (db, values: Placeholders<readonly unknown[]>) =>
        this.#build(db, placeholderRows(columns, count, values)),
      { named: isKept },
    );
    if (isKept) this.#queries.set(shape, query);
    return query;
  }
}

function columnsOf<Row extends object>(row: Row): (keyof Row)[] {
  return (Object.keys(row) as (keyof Row)[]).filter((column) => row[column] !== undefined);
}

function placeholderRows<Row>(
  columns: (keyof Row)[],
  count: number,
  values: Placeholders<readonly unknown[]>,
): Placeholders<Row>[] {
  return Array.from({ length: count }, (_, row) => {
    const entries = columns.map((column, index) => [column, values[row * columns.length + index]]);
    return Object.fromEntries(entries) as Placeholders<Row>;
  });
}
