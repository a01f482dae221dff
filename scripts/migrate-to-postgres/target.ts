import { Kysely } from "kysely";
import pg from "pg";
import { type Db, openDatabase } from "#db/open.ts";
import { StorePostgresDialect } from "#db/postgres-dialect.ts";
import type { Schema } from "#db/schema.ts";

/** An empty PostgreSQL database that no server uses. */
export interface Target {
  /** The one connection. What is asked of it and of `db` is one transaction where `db` has begun one. */
  client: pg.Client;
  db: Db;
  close(): Promise<void>;
}

/** Throws where the database cannot be reached, where a server uses it, and where it holds anything already. */
export async function openTarget(url: string): Promise<Target> {
  const servers = await openDatabase(url);
  const client = new pg.Client({ connectionString: url, application_name: "print-store", keepAlive: true });
  // A connection that breaks also ends; whoever waits for an answer hears of it by that.
  client.on("error", () => {});
  const close = async () => {
    await client.end();
    await servers.close();
  };
  try {
    await joinAlone(servers);
    await client.connect();
    await refuseUnlessEmpty(client);
    return { client, db: overOne(client), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function joinAlone({ cluster }: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  const isAlone = await cluster?.join({ alone: true }).catch((error) => {
    throw new Error(`PostgreSQL cannot be reached: ${error.message || error.code}`);
  });
  if (!isAlone) throw new Error("A server uses the PostgreSQL database. Give the store an empty one");
}

function overOne(client: pg.Client): Db {
  const connection = Object.assign(client, { release() {} });
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  return new Kysely<Schema>({ dialect: new StorePostgresDialect({ pool }) });
}

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace",
  );
  if (rows.length === 0) return;
  const what = rows.some(({ name }) => name === "store_facts") ? "a store" : `a table, ${rows[0]?.name},`;
  throw new Error(`The PostgreSQL database holds ${what} already. Give the store an empty one`);
}
