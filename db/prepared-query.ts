import { type Compilable, type CompiledQuery, type DialectAdapter, type RawBuilder, sql } from "kysely";
import type { Db } from "./open.ts";
import { nameStatement } from "./statement-names.ts";
import type { Trx } from "./transaction.ts";

/** What stands in a query for each of the values that come later. */
export type Placeholders<Values> = { readonly [Name in keyof Values]: RawBuilder<Values[Name]> };

type Build<Values, Row> = (db: Db | Trx, values: Placeholders<Values>) => Compilable<Row>;

/**
 * A query that is built and compiled once for each database, and later only filled in: for the few that are asked so
 * often that building them shows. It must not differ with its values; a list of them has no placeholder.
 */
export class PreparedQuery<Values, Row> {
  readonly #build: Build<Values, Row>;
  readonly #isNamed: boolean;
  readonly #compiled = new WeakMap<DialectAdapter, CompiledQuery<Row>>();

  /**
   * `build` is called with placeholders, as in `(db, { id }: Placeholders<{ id: string }>) => …`. A query that is hardly
   * ever asked again should not be `named`: PostgreSQL would keep it.
   */
  constructor(build: Build<Values, Row>, { named = true } = {}) {
    this.#build = build;
    this.#isNamed = named;
  }

  async rows(db: Db | Trx, values: Values): Promise<Row[]> {
    return (await db.executeQuery(this.#fillIn(db, values))).rows;
  }

  async first(db: Db | Trx, values: Values): Promise<Row | undefined> {
    const [first] = await this.rows(db, values);
    return first;
  }

  #fillIn(db: Db | Trx, values: Values): CompiledQuery<Row> {
    const executor = db.getExecutor();
    let compiled = this.#compiled.get(executor.adapter);
    if (!compiled) {
      compiled = this.#build(db, placeholders<Values>()).compile();
      this.#compiled.set(executor.adapter, compiled);
      if (this.#isNamed) nameStatement(compiled.sql);
    }
    // What guards the handle has to see each query, and sees those that are compiled already only here.
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

/** One under each name that is asked for. */
function placeholders<Values>(): Placeholders<Values> {
  return new Proxy({} as Placeholders<Values>, { get: (_none, name) => sql.val(new Placeholder(name)) });
}
