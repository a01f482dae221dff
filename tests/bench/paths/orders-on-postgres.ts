import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { openDatabase } from "#db/open.ts";
import { type PostgresServer, startPostgres } from "../../setup/postgres-server.ts";
import { withLimit } from "../child.ts";
import { bodyMaker, orderRunners } from "../order-load.ts";
import type { BenchPlan } from "../plan.ts";
import { type Comparison, compare } from "../results.ts";
import { fillDatabase, openWorld, type World } from "../world.ts";

/** PostgreSQL's default: a commit is on disk before it is confirmed. */
const DURABLE = ["fsync=on"];
const FILES_PER_SECOND = 3000;
const OURS = "store";
const THEIRS = "raw_orders";

/** Orders on PostgreSQL, next to the same statements sent by the driver alone. */
export async function measureOrdersOnPostgres(plan: BenchPlan, folder: string): Promise<Comparison> {
  const postgres = await startPostgres(DURABLE);
  try {
    await fillBoth(postgres, plan);
    const dataDir = join(folder, "store-on-postgres");
    await mkdir(dataDir);
    const world = await openWorld(dataDir, postgres.url(OURS));
    try {
      return await measure(plan, world, postgres);
    } finally {
      await world.server.stop();
    }
  } finally {
    await postgres.stop();
  }
}

async function fillBoth(postgres: PostgresServer, plan: BenchPlan): Promise<void> {
  await createDatabase(postgres, OURS);
  const { db, close } = await openDatabase(postgres.url(OURS));
  await fillDatabase(db, plan);
  await close();
  await createDatabase(postgres, `${THEIRS} template ${OURS}`);
}

async function createDatabase(postgres: PostgresServer, what: string): Promise<void> {
  const client = new pg.Client(postgres.url("postgres"));
  await client.connect();
  await client.query(`create database ${what}`).finally(() => client.end());
}

async function measure(plan: BenchPlan, world: World, postgres: PostgresServer): Promise<Comparison> {
  const makeBody = await bodyMaker(world);
  const databaseUrl = postgres.url(THEIRS);
  const target = { databaseUrl, filesPerSecond: FILES_PER_SECOND };
  const rawFolder = join(world.folder, "raw");
  const options = { args: [databaseUrl, rawFolder], log: join(world.folder, "limits.log") };
  return withLimit("raw-orders-on-postgres.ts", options, (url) =>
    compare(plan, {
      path: "POST printorder on PostgreSQL",
      limit: "the same statements sent raw by pg",
      unit: "orders",
      atLeast: 0.6,
      ...orderRunners(world, makeBody, { ...target, url }),
    }),
  );
}
