import { Kysely } from "kysely";
import pg from "pg";
import type { Database, DatabaseOptions } from "../open.ts";
import { statementName } from "../prepared.ts";
import type { Schema } from "../schema.ts";
import { OutsideTransactionGuard } from "../transaction.ts";
import { PostgresCluster } from "./cluster.ts";
import { StorePostgresDialect } from "./dialect.ts";

const POOL_SIZE = 10;
const CONNECT_MS = 5000;
/** Nothing that somebody waits for may take longer. */
const STATEMENT_MS = 30_000;

/** What PostgreSQL counts and sums to, as numbers like SQLite's. */
const NUMBERS = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

/** Opens a PostgreSQL database; nothing is asked of it yet. */
export function openPostgres(
  url: string,
  { poolSize = POOL_SIZE, statementMs = STATEMENT_MS }: DatabaseOptions,
): Database {
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
  // A connection that breaks is dropped by the pool. Whoever was using it hears of it from their query.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
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
    },
  };
}

/** Has PostgreSQL keep the statements that have a name, so that it need not parse and plan them each time. */
class NamingClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values] = args;
    const name = typeof text === "string" ? statementName(text) : undefined;
    return Reflect.apply(super.query, this, name ? [{ name, text, values }] : args) as never;
  }
}
