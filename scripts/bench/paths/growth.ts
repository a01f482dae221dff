import { join } from "node:path";
import { openDatabase } from "#db/open.ts";
import { ApiClient } from "../../../tests/setup/api-client.ts";
import { LOAD_ADMIN, LOAD_PASSWORD } from "../../load/plan.ts";
import { figuresQuestions, queueQuestions } from "../../measure/questions.ts";
import type { BenchPlan } from "../plan.ts";
import type { Growth } from "../results.ts";
import { median } from "../statistics.ts";
import { databaseUrlOf, fillFolder, MODEL_SHOP, openWorld, type World } from "../world.ts";

const WARM_UPS = 3;

interface Call {
  name: string;
  /** Answers the status. */
  send(): Promise<number>;
}

/** Times the same calls on the small store and on a large one, in turn. */
export async function measureGrowth(plan: BenchPlan, small: World, folder: string): Promise<Growth[]> {
  const largeFolder = join(folder, "large");
  await fillFolder(largeFolder, plan.large);
  const large = await openWorld(largeFolder);
  try {
    const [smallCalls, largeCalls] = [await callsOf(small), await callsOf(large)];
    const growths: Growth[] = [];
    for (const [index, call] of smallCalls.entries()) {
      const other = largeCalls[index];
      if (other) growths.push(await timeBoth(plan.calls, call, other));
    }
    return growths;
  } finally {
    await large.server.stop();
  }
}

async function timeBoth(calls: number, small: Call, large: Call): Promise<Growth> {
  const times = { small: [] as number[], large: [] as number[] };
  for (let call = -WARM_UPS; call < calls; call++) {
    const [smallMs, largeMs] = [await timeOf(small), await timeOf(large)];
    if (call < 0) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  return { call: small.name, small: median(times.small), large: median(times.large) };
}

async function timeOf({ name, send }: Call): Promise<number> {
  const askedAt = performance.now();
  const status = await send();
  if (status !== 200) throw new Error(`${name} was answered with ${status}`);
  return performance.now() - askedAt;
}

/** What students, staff and admins ask, by both transports. */
async function callsOf({ folder, server, student }: World): Promise<Call[]> {
  const admin = new ApiClient(server.url);
  await admin.post("/api/v1/users/login", { email: LOAD_ADMIN, password: LOAD_PASSWORD });
  const { readDb, close } = await openDatabase(databaseUrlOf(folder));
  const questions = [...(await queueQuestions(readDb)), ...(await figuresQuestions(readDb))];
  await close();
  const get = (path: string): Call => ({
    name: `GET ${path}`,
    send: async () => (await student.get(path)).status,
  });
  const query = (client: ApiClient, name: string, procedure: string, input: object): Call => ({
    name: `${procedure}: ${name}`,
    send: async () => (await client.query(procedure, input)).status,
  });
  return [
    get(`/api/v1/prints/shopdata?id=${MODEL_SHOP}`),
    get("/api/v1/users/getuser"),
    query(student, "first page", "orders.mine", {}),
    ...questions.map(({ name, procedure, input }) => query(admin, name, procedure, input)),
  ];
}
