import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { databasePath, openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { orderFor } from "../../../tests/factories/orders.ts";
import { insertRows } from "../../load/rows.ts";
import { withLimit } from "../child.ts";
import { type HttpLoad, sendLoad } from "../http-load.ts";
import { type BenchPlan, CONNECTIONS } from "../plan.ts";
import type { Bound, Burst, Comparison } from "../results.ts";
import { compare } from "../rounds.ts";
import { MODEL_SHOP, type World } from "../world.ts";

/** More than either can take in a second; each order takes a file of its own. */
const FILES_PER_SECOND = 9000;
const MIN_FILES = 4000;
const PAGES = 3;
/** Vendure's best on the machine that the bench was first run on, times a hundred. */
const HUNDRED_VENDURES = 1700;

/** Orders with one file, six options and two mails, each answered once it is on the disk for good. */
export async function measureOrders(
  plan: BenchPlan,
  world: World,
): Promise<{ comparison: Comparison; rate: Bound }> {
  const makeBody = await bodyMaker(world);
  await placeModelOrder(world, makeBody);
  const copy = join(world.folder, "raw-orders.sqlite");
  await copyDatabase(world, copy);
  const headers = { "Content-Type": "application/json" };
  const ours = {
    url: `${world.server.url}/api/v1/prints/printorder`,
    headers: { ...headers, Cookie: world.student.cookieHeader },
  };
  const comparison = await withLimit(
    "raw-orders.ts",
    { args: [copy], log: join(world.folder, "limits.log") },
    (url) =>
      compare(plan, {
        path: "POST printorder, durable, all checked, mails queued",
        limit: "bare better-sqlite3 over node:http, the same rows, one FULL commit each",
        unit: "orders",
        atLeast: 1,
        ours: (seconds) => sendOrders(ours, makeBody, { world, database: world.databaseUrl, seconds }),
        limits: (seconds) =>
          sendOrders({ url, headers }, makeBody, { world, database: `file:${copy}`, seconds }),
      }),
  );
  const what = "orders a second (100 times Vendure's 17)";
  const { perSecond } = comparison.ours;
  return {
    comparison,
    rate: { what, unit: "/s", measured: perSecond, bound: HUNDRED_VENDURES, kind: "at least" },
  };
}

type MakeBody = (fileId: string) => string;

/** What a student's browser sends for one file of three pages. */
async function bodyMaker({ student, server }: World): Promise<MakeBody> {
  const mark = randomUUID();
  const filesUrl = [`${server.url}/files/${mark}`];
  const order = JSON.stringify(await orderFor(student, { shopId: MODEL_SHOP, pages: PAGES, filesUrl }));
  return (fileId) => JSON.stringify({ ...JSON.parse(order.replace(mark, fileId)), idempotencyKey: fileId });
}

async function placeModelOrder(world: World, makeBody: MakeBody): Promise<void> {
  const [fileId = ""] = await addFiles(world, world.databaseUrl, 1);
  const { status, body } = await world.student.post(
    "/api/v1/prints/printorder",
    JSON.parse(makeBody(fileId)),
  );
  if (status !== 200) throw new Error(`The first order was answered with ${status}: ${JSON.stringify(body)}`);
}

async function copyDatabase({ databaseUrl }: World, target: string): Promise<void> {
  const db = new Sqlite(databasePath(databaseUrl), { readonly: true });
  await db.backup(target);
  db.close();
}

async function sendOrders(
  load: Pick<HttpLoad, "url" | "headers">,
  makeBody: MakeBody,
  { world, database, seconds }: { world: World; database: string; seconds: number },
): Promise<Burst> {
  const count = Math.max(MIN_FILES, Math.ceil(seconds * FILES_PER_SECOND));
  const bodies = (await addFiles(world, database, count)).map(makeBody);
  const body = () => bodies.pop() ?? "";
  return sendLoad({ ...load, method: "POST", body, connections: CONNECTIONS }, seconds);
}

/** Uploads of the student, as far as the database knows of them; gives their ids. */
async function addFiles({ studentId }: World, databaseUrl: string, count: number): Promise<string[]> {
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
    sha256: "0".repeat(64),
    created_at: now,
    colour_pages: "",
    colour_checked_pages: PAGES,
  }));
  await transact(db, (trx) => insertRows(trx, "files", files));
  await close();
  return files.map(({ id }) => id);
}
