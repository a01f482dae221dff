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
  readonly #statements: Statement<Row, Returned>[] = [];

  /** `build` is called with rows of placeholders, as in `(db, rows: Placeholders<FactTable>[]) => …values(rows)`. */
  constructor(build: Build<Row, Returned>) {
    this.#build = build;
  }

  /** Inserts the rows and gives what the insert returns. */
  async rows(db: Db | Trx, rows: readonly Row[]): Promise<Returned[]> {
    const [first] = rows;
    if (!first) return [];
    const isFitting = ({ count, columns }: Statement<Row, Returned>) =>
      count === rows.length && hasColumns(first, columns);
    const { columns, query } =
      this.#statements.find(isFitting) ?? this.#prepare(columnsOf(first), rows.length);
    return query.rows(
      db,
      rows.flatMap((row) => columns.map((column) => row[column])),
    );
  }

  #prepare(columns: (keyof Row)[], count: number): Statement<Row, Returned> {
    const isKept = count <= MOST_ROWS;
    const query = new PreparedQuery(
      (db, values: Placeholders<readonly unknown[]>) =>
        this.#build(db, placeholderRows(columns, count, values)),
      { named: isKept },
    );
    const statement = { columns, count, query };
    if (isKept) this.#statements.push(statement);
    return statement;
  }
}

/** The insert of so many rows with these columns. */
interface Statement<Row, Returned> {
  columns: (keyof Row)[];
  count: number;
  query: PreparedQuery<readonly unknown[], Returned>;
}

/** Whether these are `columnsOf` the row, found out without a list of its own. */
function hasColumns<Row extends object>(row: Row, columns: (keyof Row)[]): boolean {
  let passed = 0;
  for (const column in row) {
    if (row[column] !== undefined && column !== columns[passed++]) return false;
  }
  return passed === columns.length;
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
