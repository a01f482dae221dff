import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "#db/open.ts";
import { addDays, indianDay } from "#shared/indian-time.ts";
import { SHOPS_PER_PAGE } from "#shared/schemas/shops.ts";
import { numberedPdf } from "../../factories/pdfs.numbered.ts";
import { LOAD_ADMIN, LOAD_PASSWORD } from "../../load/rows.ts";
import { type ApiAnswer, ApiClient } from "../../setup/api-client.ts";
import { boardQueries, type Question, recordConsoleQueries, statsQueries } from "../console-queries.ts";
import type { BenchPlan } from "../plan.ts";
import { type Growth, median, type TimedCall } from "../results.ts";
import { fillFolder, MODEL_SHOP, openWorld, type World } from "../world.ts";
import { bodyMaker } from "./orders.ts";

/**
 * Times the same calls in turn on a small store and on a large one.
 * @param largeFolder filled if it does not exist
 */
export async function measureGrowth(plan: BenchPlan, folder: string, largeFolder: string): Promise<Growth[]> {
  const smallFolder = join(folder, "small");
  await fillFolder(smallFolder, plan);
  if (!existsSync(largeFolder)) await fillFolder(largeFolder, plan.large);
  const [small, large] = [await openWorld(smallFolder), await openWorld(largeFolder)];
  try {
    const [smallCalls, largeCalls] = [await callsOf(small), await callsOf(large)];
    const growths: Growth[] = [];
    for (const [index, call] of smallCalls.entries()) {
      const other = largeCalls[index];
      if (other) growths.push(await timeBoth(plan, call, other));
    }
    return growths;
  } finally {
    await Promise.all([small.server.stop(), large.server.stop()]);
  }
}

async function timeBoth({ calls, warmUpCalls }: BenchPlan, small: Call, large: Call): Promise<Growth> {
  const timed: Record<"small" | "large", TimedCall[]> = { small: [], large: [] };
  for (let call = -warmUpCalls; call < calls; call++) {
    const [one, other] = [await time(small), await time(large)];
    if (call < 0) continue;
    timed.small.push(one);
    timed.large.push(other);
  }
  return { call: small.name, small: medianOf(timed.small), large: medianOf(timed.large) };
}

async function time({ name, prepare, send }: Call): Promise<TimedCall> {
  await prepare?.();
  const askedAt = performance.now();
  const { status, body } = await send();
  const ms = performance.now() - askedAt;
  if (status !== 200) throw new Error(`${name} was answered with ${status}`);
  return { ms, bytes: JSON.stringify(body).length };
}

function medianOf(calls: TimedCall[]): TimedCall {
  return { ms: median(calls.map(({ ms }) => ms)), bytes: median(calls.map(({ bytes }) => bytes)) };
}

const NOTES = new Uint8Array(numberedPdf("Notes", 3));

interface Call {
  name: string;
  /** Runs before each call and is not timed. */
  prepare?(): Promise<void>;
  send(): Promise<Pick<ApiAnswer, "status" | "body">>;
}

/** Calls by students, staff and admins, over both transports. */
async function callsOf(world: World): Promise<Call[]> {
  const admin = new ApiClient(world.server.url);
  await admin.post("/api/v1/users/login", { email: LOAD_ADMIN, password: LOAD_PASSWORD });
  const { readDb, close } = await openDatabase(world.databaseUrl);
  const questions = [
    ...(await boardQueries(readDb)),
    ...(await statsQueries(readDb)),
    ...(await recordConsoleQueries(readDb)),
  ];
  await close();
  return [
    ...guestCalls(world),
    ...(await studentCalls(world)),
    ...questions.map((question) => called(admin, question)),
    await rankingAfterOrder(world, admin),
  ];
}

function guestCalls({ server }: World): Call[] {
  const guest = new ApiClient(server.url);
  const get = (path: string, name = `GET ${path}`): Call => ({
    name,
    send: () => guest.get(path),
  });
  const list = `/api/v1/prints/shopslocation?limit=${SHOPS_PER_PAGE}`;
  return [
    get(list),
    get(`${list}&sort=price`),
    {
      name: "shops.page: a search that nobody made before",
      send: () => guest.query("shops.page", { search: randomUUID().slice(0, 6) }),
    },
    get(`/api/v1/prints/shopdata?id=${MODEL_SHOP}`),
    get("/", "the home page"),
    get("/shops", "the shops page"),
  ];
}

async function studentCalls(world: World): Promise<Call[]> {
  const { student } = world;
  const { rows } = (await student.query("orders.mine", {})).body.result.data;
  const makeBody = await bodyMaker(world);
  const uploaded: string[] = [];
  return [
    {
      name: "GET /api/v1/users/getuser",
      send: () => student.get("/api/v1/users/getuser"),
    },
    called(student, { name: "first page", procedure: "orders.mine", input: {} }),
    called(student, { name: "an order", procedure: "orders.one", input: { orderId: rows[0].id } }),
    {
      name: "POST /api/v1/uploads, 3 pages",
      async send() {
        const answer = await student.upload(NOTES);
        uploaded.push(answer.body.public_id);
        return answer;
      },
    },
    {
      name: "POST /api/v1/prints/printorder",
      send: () => student.post("/api/v1/prints/printorder", JSON.parse(makeBody(uploaded.pop() ?? ""))),
    },
  ];
}

/** The ranking of shops is cached until the next order. */
async function rankingAfterOrder(world: World, admin: ApiClient): Promise<Call> {
  const { student } = world;
  const makeBody = await bodyMaker(world);
  const until = indianDay(new Date());
  const input = { from: addDays(until, -29), until };
  const ranking = { name: "the best shops of 30 days, after an order", procedure: "stats.shops", input };
  return {
    ...called(admin, ranking),
    async prepare() {
      const { body: file } = await student.upload(NOTES);
      const order = JSON.parse(makeBody(file.public_id));
      const { status } = await student.post("/api/v1/prints/printorder", order);
      if (status !== 200) throw new Error(`An order was answered with ${status}`);
    },
  };
}

function called(client: ApiClient, { name, procedure, input }: Question): Call {
  return {
    name: `${procedure}: ${name}`,
    send: () => client.query(procedure, input),
  };
}
