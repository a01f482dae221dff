import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Db } from "#db/database.ts";
import { databasePath, openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { orderFor } from "../../factories/orders.ts";
import { insertRows } from "../../load/rows.ts";
import { DURABLE, type PostgresServer, startPostgres } from "../../setup/postgres-server.ts";
import { onServer } from "../../setup/test-database.ts";
import { withLimit } from "../child.ts";
import { type HttpLoad, sendLoad } from "../http-load.ts";
import { type BenchPlan, CONNECTIONS } from "../plan.ts";
import { type Burst, type Comparison, compare, type Runner } from "../results.ts";
import { fillDatabase, MODEL_SHOP, openWorld, type World, waitUntilDone } from "../world.ts";

/** PostgreSQL's names of the product's database and of its limit's. */
const OURS = "store";
const THEIRS = "raw_orders";
/** More orders than either side places in a second: each needs its own file. */
const FILES_PER_SECOND = { sqlite: 9000, postgres: 3000 };

/** Orders with one file, six options and two mails, each confirmed once it is safely on disk. */
export async function measureOrders(plan: BenchPlan, world: World): Promise<Comparison> {
  const makeBody = await bodyMaker(world);
  await placeModelOrder(world, makeBody);
  const copy = join(world.folder, "raw-orders.sqlite");
  await copyDatabase(world, copy);
  const target = { databaseUrl: `file:${copy}`, filesPerSecond: FILES_PER_SECOND.sqlite };
  return withLimit("raw-orders.ts", { args: [copy], log: join(world.folder, "limits.log") }, (url) =>
    compare(plan, {
      path: "POST printorder, durable, all checked, mails queued",
      limit: "bare better-sqlite3 over node:http, the same rows, one FULL commit each",
      unit: "orders",
      atLeast: 0.5,
      ...orderRunners(world, makeBody, { ...target, url }),
    }),
  );
}

async function copyDatabase({ databaseUrl }: World, target: string): Promise<void> {
  const db = new Sqlite(databasePath(databaseUrl), { readonly: true });
  await db.backup(target);
  db.close();
}

/** Orders on PostgreSQL, next to the same statements sent by the driver alone. */
export async function measureOrdersOnPostgres(plan: BenchPlan, folder: string): Promise<Comparison> {
  const postgres = await startPostgres(DURABLE);
  try {
    await fillBoth(postgres, plan);
    const dataDir = join(folder, "store-on-postgres");
    await mkdir(dataDir);
    const world = await openWorld(dataDir, postgres.url(OURS));
    try {
      return await compareOnPostgres(plan, world, postgres);
    } finally {
      await world.server.stop();
    }
  } finally {
    await postgres.stop();
  }
}

async function fillBoth(postgres: PostgresServer, plan: BenchPlan): Promise<void> {
  const create = (database: string) =>
    onServer(postgres.url("postgres"), (client) => client.query(`create database ${database}`));
  await create(OURS);
  const { db, close } = await openDatabase(postgres.url(OURS));
  await fillDatabase(db, plan);
  await close();
  await create(`${THEIRS} template ${OURS}`);
}

async function compareOnPostgres(
  plan: BenchPlan,
  world: World,
  postgres: PostgresServer,
): Promise<Comparison> {
  const makeBody = await bodyMaker(world);
  const databaseUrl = postgres.url(THEIRS);
  const target = { databaseUrl, filesPerSecond: FILES_PER_SECOND.postgres };
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

const MIN_FILES = 4000;
const PAGES = 3;

type MakeBody = (fileId: string) => string;

/** Makes the requests that a browser sends for one file of three pages. */
export async function bodyMaker({
  student,
  server,
}: Pick<World, "student"> & { server: { url: string } }): Promise<MakeBody> {
  const mark = randomUUID();
  const filesUrl = [`${server.url}/files/${mark}`];
  const order = JSON.stringify(await orderFor(student, { shopId: MODEL_SHOP, pages: PAGES, filesUrl }));
  return (fileId) => JSON.stringify({ ...JSON.parse(order.replace(mark, fileId)), idempotencyKey: fileId });
}

/** Places the order whose rows the limit repeats. */
async function placeModelOrder(world: World, makeBody: MakeBody): Promise<void> {
  const [fileId = ""] = await addFiles(world, world.databaseUrl, 1);
  const { status, body } = await world.student.post(
    "/api/v1/prints/printorder",
    JSON.parse(makeBody(fileId)),
  );
  if (status !== 200) throw new Error(`The first order was answered with ${status}: ${JSON.stringify(body)}`);
}

/** Where to send orders, and the database for their files. */
interface OrderTarget extends Pick<HttpLoad, "url" | "headers"> {
  databaseUrl: string;
  studentId: string;
  filesPerSecond: number;
}

/** Sends an order for each of the files that can be ordered in this time. */
async function sendOrders(
  { url, headers, ...target }: OrderTarget,
  makeBody: MakeBody,
  seconds: number,
): Promise<Burst> {
  const count = Math.max(MIN_FILES, Math.ceil(seconds * target.filesPerSecond));
  const bodies = (await addFiles(target, target.databaseUrl, count)).map(makeBody);
  const body = () => bodies.pop() ?? "";
  const burst = await sendLoad({ url, headers, method: "POST", body, connections: CONNECTIONS }, seconds);
  await finishOrders(target.databaseUrl);
  return burst;
}

/** Runs orders against the product and against its limit at `url`, which has its own database. */
function orderRunners(
  { server, student, studentId, databaseUrl }: World,
  makeBody: MakeBody,
  limit: { url: string; databaseUrl: string; filesPerSecond: number },
): { ours: Runner; limits: Runner } {
  const headers = { "Content-Type": "application/json" };
  const ours = {
    url: `${server.url}/api/v1/prints/printorder`,
    headers: { ...headers, Cookie: student.cookieHeader },
    databaseUrl,
    studentId,
    filesPerSecond: limit.filesPerSecond,
  };
  return {
    async ours(seconds) {
      const burst = await sendOrders(ours, makeBody, seconds);
      await waitUntilDone(databaseUrl, findWaitingMail);
      return burst;
    },
    limits: (seconds) => sendOrders({ ...limit, headers, studentId }, makeBody, seconds),
  };
}

function findWaitingMail(db: Db): Promise<unknown> {
  return db.selectFrom("outbox").select("id").where("sent_at", "is", null).limit(1).executeTakeFirst();
}

/** Delivers the orders and erases the files: no shop has thousands to print, and no student thousands of uploads. */
async function finishOrders(databaseUrl: string): Promise<void> {
  const { db, close } = await openDatabase(databaseUrl);
  await db.updateTable("orders").set({ state: "delivered" }).where("state", "=", "placed").execute();
  const now = new Date().toISOString();
  await db
    .updateTable("files")
    .set({ deleted_at: now, erased_at: now })
    .where("erased_at", "is", null)
    .execute();
  await close();
}

/** Inserts uploads of the student, in the database only; returns their ids. */
export async function addFiles(
  { studentId }: Pick<World, "studentId">,
  databaseUrl: string,
  count: number,
): Promise<string[]> {
  const { db, close } = await openDatabase(databaseUrl);
  const now = new Date().toISOString();
  const files = Array.from({ length: count }, () => randomUUID()).map((id) => ({
    id,
    owner_id: studentId,
    original_filename: "bench.pdf",
    bytes: 100_000,
    pages: PAGES,
    page_sizes: JSON.stringify({ A4: `1-${PAGES}` }),
    sha256: "0".repeat(64),
    created_at: now,
    colour_pages: "",
    colour_checked_pages: PAGES,
  }));
  await transact(db, (trx) => insertRows(trx, "files", files));
  await close();
  return files.map(({ id }) => id);
}
