import { startPostgres } from "./postgres-server.ts";
import { fillTemplate, TEMPLATE } from "./test-database.ts";

/** Vitest's global setup for the suites on PostgreSQL, which share one server. Returns the teardown. */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TEST_POSTGRES_URL) return undefined;
  const server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.url("postgres");
  await makeTemplate(server.url("postgres"), server.url(TEMPLATE));
  return () => server.stop();
}

async function makeTemplate(maintenance: string, template: string): Promise<void> {
  const { default: pg } = await import("pg");
  const client = new pg.Client(maintenance);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  await fillTemplate(template);
}
