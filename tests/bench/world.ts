import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { readDemoShops, seedShops } from "#db/seed/seed.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { OPTION_KINDS } from "#shared/options.ts";
import type { SeedShop } from "#shared/schemas/seed.ts";
import { fillStore } from "../load/fill.ts";
import { LOAD_PASSWORD } from "../load/rows.ts";
import { ApiClient } from "../setup/api-client.ts";
import { type Listener, startListener } from "./child.ts";

/** The shop whose data is requested. */
export const MODEL_SHOP = "bench-shop";
const OPTIONS_PER_LIST = 4;
const STUDENTS = 500;
/** With many orders, each student has this many. */
const ORDERS_PER_STUDENT = 20;
/** Shops of both stores are equally busy, so their lists are equally full; the store with more orders is older. */
const DAILY_ORDERS_PER_SHOP = 10 / 3;

/** While filling, the store need not survive a power loss and caches most of its indexes. */
const FILLING_CACHE_KB = 3_000_000;

/** A filled store and its running server. */
export interface World {
  folder: string;
  databaseUrl: string;
  server: Listener;
  /** Logged in as a student. */
  student: ApiClient;
  studentId: string;
}

/** Fills a data folder with shops and orders; one shop has the same number of options in each list. */
export async function fillFolder(folder: string, counts: { shops: number; orders: number }): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { db, close } = await openDatabase(databaseUrlOf(folder));
  await sql`pragma synchronous = off`.execute(db);
  await sql`pragma cache_size = ${sql.lit(-FILLING_CACHE_KB)}`.execute(db);
  await fillDatabase(db, counts);
  await close();
}

/** Fills an empty database in the same way. */
export async function fillDatabase(db: Db, counts: { shops: number; orders: number }): Promise<void> {
  await migrate(db);
  const until = new Date();
  await seedShops(db, { shops: [modelShop()] }, until);
  const { orders } = counts;
  const students = Math.max(STUDENTS, orders / ORDERS_PER_STUDENT);
  const days = Math.ceil(orders / counts.shops / DAILY_ORDERS_PER_SHOP);
  await fillStore(db, { shops: counts.shops - 1, students, orders, days, until, seed: 1 });
}

/** Starts the server over a filled folder, or another filled database, and signs a student in. */
export async function openWorld(folder: string, databaseUrl = databaseUrlOf(folder)): Promise<World> {
  const server = await startServer(folder, databaseUrl);
  const { student, studentId } = await signStudentIn(server.url, databaseUrl);
  return { folder, databaseUrl, server, student, studentId };
}

/** Logs a student of the filled database in to a server that uses it. */
export async function signStudentIn(
  url: string,
  databaseUrl: string,
): Promise<Pick<World, "student" | "studentId">> {
  const { email, id } = await someStudent(databaseUrl);
  const student = new ApiClient(url);
  const { status } = await student.post("/api/v1/users/login", { email, password: LOAD_PASSWORD });
  if (status !== 200) throw new Error(`The login of ${email} was answered with ${status}`);
  return { student, studentId: id };
}

/** Starts the product as an operator does, but with limits that are counted and never reached. */
function startServer(folder: string, databaseUrl = databaseUrlOf(folder)): Promise<Listener> {
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    // Like every way to start it.
    MALLOC_ARENA_MAX: "2",
    RATE_LIMIT_SCALE: "1000000",
    MAX_UNORDERED_MB: "10000000",
  };
  return startListener("dist/server/main.js", { env, log: join(folder, "server.log") });
}

function databaseUrlOf(folder: string): string {
  return `file:${join(folder, IN_DATA_DIR.database)}`;
}

/** A student who has ordered. */
async function someStudent(databaseUrl: string): Promise<{ id: string; email: string }> {
  const { db, close } = await openDatabase(databaseUrl);
  const student = await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["users.id", "users.email"])
    .orderBy("orders.id")
    .executeTakeFirstOrThrow();
  await close();
  return student;
}

function modelShop(): SeedShop {
  const [model] = readDemoShops().shops;
  if (!model) throw new Error("There are no demo shops");
  const lists = OPTION_KINDS.map((kind) => {
    const [usual] = model[kind];
    const names = Array.from({ length: OPTIONS_PER_LIST }, (_, index) => `${usual?.name} ${index + 1}`);
    return [kind, names.map((name) => ({ ...usual, name }))];
  });
  return { ...model, ...Object.fromEntries(lists), id: MODEL_SHOP, shopName: "Bench Prints" };
}

const LOOK_EVERY_MS = 20;
const MAX_WAIT_MS = 120_000;

/**
 * Waits until the server has finished its deferred work, so that this does not run while the limit is measured.
 * @param findOne finds one item that is still to be done
 */
export async function waitUntilDone(
  databaseUrl: string,
  findOne: (db: Db) => Promise<unknown>,
): Promise<void> {
  const { readDb, close } = await openDatabase(databaseUrl);
  const deadline = performance.now() + MAX_WAIT_MS;
  while (await findOne(readDb)) {
    if (performance.now() > deadline) throw new Error("What the server has put off is not done in time");
    await sleep(LOOK_EVERY_MS);
  }
  await close();
}
