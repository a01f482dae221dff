import { randomUUID } from "node:crypto";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { type Db, openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { readConfig } from "#server/config.ts";
import { uuidv7 } from "#server/lib/crypto.ts";
import { startServer } from "#server/server.ts";
import { orderFor } from "../factories/orders.ts";
import { insertRows } from "../load/rows.ts";
import { waitUntilDone } from "./backlog.ts";
import { type HttpLoad, sendLoad } from "./http-load.ts";
import { CONNECTIONS } from "./plan.ts";
import type { Burst, Runner } from "./results.ts";
import { MODEL_SHOP, signStudentIn, type World } from "./world.ts";

const MIN_FILES = 4000;
const PAGES = 3;

export type MakeBody = (fileId: string) => string;

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

/** Places the order whose rows or statements the limit repeats. */
export async function placeModelOrder(world: World, makeBody: MakeBody): Promise<void> {
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
  /** More than it can process in a second, because each order needs its own file. */
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
export function orderRunners(
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
async function addFiles(
  { studentId }: Pick<World, "studentId">,
  databaseUrl: string,
  count: number,
): Promise<string[]> {
  const { db, close } = await openDatabase(databaseUrl);
  const now = new Date().toISOString();
  const files = Array.from({ length: count }, () => randomUUID()).map((id) => ({
    id,
    owner_id: studentId,
    storage_key: id,
    original_filename: "bench.pdf",
    format: "pdf",
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

export type Row = Record<string, string | number | null>;

/** The rows that one order wrote. */
export interface OrderRows {
  order: Row;
  /** Rows of other tables that refer to it by `order_id`, without rows that it only updated. */
  beside: Record<string, Row[]>;
  mails: Row[];
}

/** Files exist before their order, which only updates them. */
const ONLY_CHANGED = "files";
const MAILS_OF_ORDER = 2;

/** Reads the rows of the newest order from a store's database. */
export function readNewestOrder(databasePath: string): OrderRows {
  const db = new Sqlite(databasePath, { readonly: true });
  const all = (sql: string, ...values: unknown[]) => db.prepare(sql).all(...values) as Row[];
  const [order] = all("select * from orders order by created_at desc limit 1");
  if (!order) throw new Error("There is no order");
  const tables = all(
    `select tables.name from pragma_table_list as tables, pragma_table_info(tables.name) as columns
     where columns.name = 'order_id' and tables.name <> ?`,
    ONLY_CHANGED,
  );
  const beside = tables
    .map(({ name }) => [name, all(`select * from ${name} where order_id = ?`, order.id)] as const)
    .filter(([_name, rows]) => rows.length > 0);
  const mails = all(
    "select * from outbox where kind like 'order-%' order by created_at desc limit ?",
    MAILS_OF_ORDER,
  );
  db.close();
  return { order, beside: Object.fromEntries(beside), mails };
}

export interface Statement {
  sql: string;
  values: unknown[];
  /** Its last value is the number that an earlier statement returned. */
  takesSeq: boolean;
}

/** The statements that the product sent to PostgreSQL for one order. */
export interface RecordedOrder {
  /** Each outside a transaction. */
  before: Statement[];
  /** From begin to commit, on one connection. */
  transaction: Statement[];
  /** Values, such as ids, that must differ for another order. */
  own: { fileId: string; orderId: string; number: string; others: string[] };
}

/** Places an order in this database, in this process, and records its statements. */
export async function recordOrder(databaseUrl: string, folder: string): Promise<RecordedOrder> {
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    LOG_LEVEL: "error",
    RATE_LIMIT_SCALE: "1000000",
  });
  const server = await startServer(config);
  const { student, studentId } = await signStudentIn(server.url, databaseUrl);
  const makeBody = await bodyMaker({ student, server });
  const [fileId = ""] = await addFiles({ studentId }, databaseUrl, 1);
  const sent = await recordWhile(() =>
    student.post("/api/v1/prints/printorder", JSON.parse(makeBody(fileId))),
  );
  await server.stop();
  return toRecordedOrder(sent, fileId);
}

interface Sent extends Statement {
  connection: pg.Client;
}

async function recordWhile(act: () => Promise<{ status: number; body: unknown }>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const { text: sql, values = [] } = queryOf(args);
    const takesSeq = sql.startsWith('insert into "live_events"');
    sent.push({ sql, values, takesSeq, connection: this });
    return Reflect.apply(query, this, args);
  } as typeof query;
  const { status, body } = await act();
  pg.Client.prototype.query = query;
  if (status !== 200) throw new Error(`The first order was answered with ${status}: ${JSON.stringify(body)}`);
  return sent;
}

/** The two ways to pass a query to pg. */
function queryOf([query, values]: unknown[]): { text: string; values?: unknown[] } {
  return typeof query === "string"
    ? { text: query, ...(Array.isArray(values) && { values }) }
    : (query as { text: string; values?: unknown[] });
}

function toRecordedOrder(sent: Sent[], fileId: string): RecordedOrder {
  const inserted = (table: string) => sent.filter(({ sql }) => sql.startsWith(`insert into "${table}"`));
  const [order] = inserted("orders");
  if (!order) throw new Error("No order was written");
  const connected = sent.filter(({ connection }) => connection === order.connection);
  const middle = connected.indexOf(order);
  const begin = connected.findLastIndex(({ sql }, index) => index < middle && /^(begin|start)/.test(sql));
  const commit = connected.findIndex(({ sql }, index) => index > middle && sql.startsWith("commit"));
  const [orderId, number] = order.values as [string, string];
  const others = [...inserted("order_events"), ...inserted("outbox")].flatMap(idsOf);
  return {
    before: sent.filter(({ sql }) => /^(select .* from "sessions"|insert into "rate_limits")/.test(sql)),
    transaction: connected.slice(begin, commit + 1),
    own: { fileId, orderId, number, others },
  };
}

/** The first value of each inserted row. */
function idsOf({ sql, values }: Statement): string[] {
  const rows = sql.split("), (").length;
  const columns = values.length / rows;
  return values.filter((_value, index) => index % columns === 0).map(String);
}

/** The statements of a similar order for this file. */
export function repeated({ before, transaction, own }: RecordedOrder, fileId: string) {
  const orderId = uuidv7();
  const renewed = new Map<unknown, string>([
    [own.fileId, fileId],
    [own.orderId, orderId],
    [own.number, orderId.slice(-9)],
    ...own.others.map((id) => [id, uuidv7()] as const),
  ]);
  const renew = (statement: Statement): Statement => ({
    ...statement,
    values: statement.values.map((value) => renewed.get(value) ?? value),
  });
  return { before: before.map(renew), transaction: transaction.map(renew), orderId };
}
