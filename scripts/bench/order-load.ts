import { randomUUID } from "node:crypto";
import { type Db, openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { orderFor } from "../../tests/factories/orders.ts";
import { insertRows } from "../load/rows.ts";
import { waitUntilDone } from "./backlog.ts";
import { type HttpLoad, sendLoad } from "./http-load.ts";
import { CONNECTIONS } from "./plan.ts";
import type { Burst } from "./results.ts";
import type { Runner } from "./rounds.ts";
import { MODEL_SHOP, type World } from "./world.ts";

const MIN_FILES = 4000;
const PAGES = 3;

export type MakeBody = (fileId: string) => string;

/** What a student's browser sends for one file of three pages. */
export async function bodyMaker({
  student,
  server,
}: Pick<World, "student"> & { server: { url: string } }): Promise<MakeBody> {
  const mark = randomUUID();
  const filesUrl = [`${server.url}/files/${mark}`];
  const order = JSON.stringify(await orderFor(student, { shopId: MODEL_SHOP, pages: PAGES, filesUrl }));
  return (fileId) => JSON.stringify({ ...JSON.parse(order.replace(mark, fileId)), idempotencyKey: fileId });
}

/** Places the order whose rows or statements its limit repeats. */
export async function placeModelOrder(world: World, makeBody: MakeBody): Promise<void> {
  const [fileId = ""] = await addFiles(world, world.databaseUrl, 1);
  const { status, body } = await world.student.post(
    "/api/v1/prints/printorder",
    JSON.parse(makeBody(fileId)),
  );
  if (status !== 200) throw new Error(`The first order was answered with ${status}: ${JSON.stringify(body)}`);
}

/** Where orders are sent, and the database in which their files are to be. */
interface OrderTarget extends Pick<HttpLoad, "url" | "headers"> {
  databaseUrl: string;
  studentId: string;
  /** More than it can take in a second; each order takes a file of its own. */
  filesPerSecond: number;
}

/** Sends an order for each of as many files as can be ordered in this time. */
async function sendOrders(
  { url, headers, ...target }: OrderTarget,
  makeBody: MakeBody,
  seconds: number,
): Promise<Burst> {
  const count = Math.max(MIN_FILES, Math.ceil(seconds * target.filesPerSecond));
  const bodies = (await addFiles(target, target.databaseUrl, count)).map(makeBody);
  const body = () => bodies.pop() ?? "";
  return sendLoad({ url, headers, method: "POST", body, connections: CONNECTIONS }, seconds);
}

/** Sends orders to the product and to its limit at `url`, which has a database of its own. */
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

/** Uploads of the student, as far as the database knows of them; gives their ids. */
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
