import { Kysely } from "kysely";
import pg from "pg";
import type { Database, DatabaseOptions } from "../database.ts";
import { statementName } from "../prepared.ts";
import type { Schema } from "../schema.ts";
import { OutsideTransactionGuard } from "../transaction.ts";
import { PostgresCluster } from "./cluster.ts";
import { StorePostgresDialect } from "./dialect.ts";

const POOL_SIZE = 10;
const CONNECT_MS = 5000;
/** No request may wait longer for one statement. */
const STATEMENT_MS = 30_000;

/** `pg` returns these types as text; the store reads them as numbers, as SQLite returns them. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Opens a pool of connections to PostgreSQL. Throws an Error of one line if the first one cannot be made. */
export async function openPostgres(
  url: string,
  { poolSize = POOL_SIZE, statementMs = STATEMENT_MS }: DatabaseOptions,
): Promise<Database> {
  const connection = { connectionString: url, application_name: "print-store" };
  const pool = new pg.Pool({
    ...connection,
    Client: NamingClient,
    max: poolSize,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: statementMs,
    types: {
      getTypeParser: (type, format) => (NUMBERS.has(type) ? Number : pg.types.getTypeParser(type, format)),
    },
  });
  // The pool drops a broken connection. A query that was using it fails with the error.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  await connectOnce(pool);
  const dialect = new StorePostgresDialect({ pool });
  const db = new Kysely<Schema>({
    dialect,
    plugins: [new OutsideTransactionGuard()],
  });
  const cluster = new PostgresCluster(connection);
  return {
    db,
    readDb: db,
    commitMark: () => dialect.commits,
    cluster,
    async close() {
      await cluster.leave();
      await db.destroy();
      // Kysely ends only a pool that it has used; another would keep the process for ten seconds.
      if (!pool.ending) await pool.end();
    },
  };
}

async function connectOnce(pool: pg.Pool): Promise<void> {
  try {
    (await pool.connect()).release();
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    throw new Error(`DATABASE_URL: no connection to PostgreSQL: ${message || code}`, { cause: error });
  }
}

/** Sends the queries of `prepared.ts` as named statements, which PostgreSQL parses and plans once for each connection. */
class NamingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const name = typeof text === "string" ? statementName(text) : undefined;
    return Reflect.apply(super.query, this, name ? [{ name, text, values }] : args) as never;
  }
}
