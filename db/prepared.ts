import { type Compilable, type CompiledQuery, type DialectAdapter, type RawBuilder, sql } from "kysely";
import type { Db } from "./database.ts";
import type { Trx } from "./transaction.ts";

// Kysely builds and compiles a query each time it is run. Compiling an order's twenty statements each time halves the bench
// row 'POST printorder' (CPU of an order 2.1 ms against 4.3), so what it runs is compiled once.

const names = new Map<string, string>();

/**
 * Has PostgreSQL parse and plan this SQL once for each connection, as a named prepared statement. SQL with `*` is left out:
 * PostgreSQL refuses its old plan once a migration has added a column.
 */
function nameStatement(sql: string): void {
  if (!sql.includes("*") && !names.has(sql)) names.set(sql, `query-${names.size + 1}`);
}

/** The name of the prepared statement on PostgreSQL; undefined for SQL that is not named. */
export function statementName(sql: string): string | undefined {
  return names.get(sql);
}

/** Stand in the query for the values that each call passes. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

type Build<Values, Row> = (db: Db | Trx, values: Placeholders<Values>) => Compilable<Row>;

/**
 * A query that is compiled once for each database; each call only binds its values. The SQL must not depend on the values,
 * so there is no placeholder for a list.
 */
export class PreparedQuery<Values, Row> {
  readonly #build: Build<Values, Row>;
  readonly #isNamed: boolean;
  readonly #compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();

  /**
   * @param build makes the query of placeholders, as in `(db, { id }: Placeholders<{ id: string }>) => …`
   * @param options.named false for a query that is rarely run again: PostgreSQL would keep it in memory
   */
  constructor(build: Build<Values, Row>, { named = true } = {}) {
    this.#build = build;
    this.#isNamed = named;
  }

  async rows(db: Db | Trx, values: Values): Promise<Row[]> {
    return (await db.executeQuery(this.#bind(db, values))).rows;
  }

  async first(db: Db | Trx, values: Values): Promise<Row | undefined> {
    const [first] = await this.rows(db, values);
    return first;
  }

  #bind(db: Db | Trx, values: Values): CompiledQuery<Row> {
    const executor = db.getExecutor();
    let compiled = this.#compiled.get(executor.adapter);
    if (!compiled) {
      compiled = this.#build(db, placeholders<Values>()).compile();
      this.#compiled.set(executor.adapter, compiled);
      if (this.#isNamed) nameStatement(compiled.sql);
    }
    // OutsideTransactionGuard must see every call, and a compiled query runs no plugins by itself.
    executor.transformQuery(compiled.query, compiled.queryId);
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? values[value.name as keyof Values] : value,
    );
    return { ...compiled, parameters };
  }
}

class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/** Has a placeholder under every name. */
function placeholders<Values>(): Placeholders<Values> {
  return new Proxy({} as Placeholders<Values>, { get: (_none, name) => sql.val(new Placeholder(name)) });
}

type BuildInsert<Row, Returned> = (db: Db | Trx, rows: Placeholders<Row>[]) => Compilable<Returned>;

/** Building the SQL only matters for a few rows; larger inserts are dominated by the write. */
const MOST_ROWS = 40;

/**
 * An insert that is compiled once for each number of rows and set of columns. All rows of a call have the columns of the
 * first one, without those that are undefined in it.
 */
export class PreparedInsert<Row extends object, Returned = unknown> {
  readonly #build: BuildInsert<Row, Returned>;
  readonly #statements: Statement<Row, Returned>[] = [];

  /** @param build makes the insert of placeholders, as in `(db, rows: Placeholders<FactTable>[]) => …values(rows)` */
  constructor(build: BuildInsert<Row, Returned>) {
    this.#build = build;
  }

  /** Inserts the rows and returns what its `returning` names. */
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

/** An insert of `count` rows with these columns. */
interface Statement<Row, Returned> {
  columns: (keyof Row)[];
  count: number;
  query: PreparedQuery<readonly unknown[], Returned>;
}

/** Whether these are `columnsOf(row)`; runs for every insert, so it allocates nothing. */
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
