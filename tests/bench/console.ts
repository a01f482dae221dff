import { readConfig } from "#server/config.ts";
import { startServer } from "#server/server.ts";
import { readArguments } from "../../scripts/arguments.ts";
import { LOAD_ADMIN, LOAD_PASSWORD } from "../load/rows.ts";
import { ApiClient } from "../setup/api-client.ts";
import { boardQueries, type Question, statsQueries } from "./console-queries.ts";
import { median, quantile } from "./results.ts";

// npm run measure-console: measures how long the server takes for the console's calls, on a store filled by `npm run
// load-data` (DATA_DIR). Prints medians and 95th percentiles in ms, and fails if a median is 50 ms or more.

const WARM_UPS = 3;
const RUNS = 40;
const LIMIT_MS = 50;

readArguments("Usage: npm run measure-console", {});
const config = readConfig({ LOG_LEVEL: "error", ...process.env, PORT: "0" });
const server = await startServer(config);
try {
  const admin = new ApiClient(server.url);
  const { status } = await admin.post("/api/v1/users/login", { email: LOAD_ADMIN, password: LOAD_PASSWORD });
  if (status !== 200) throw new Error(`The store in ${config.dataDir} was not filled by npm run load-data`);
  const { readDb } = server.deps;
  const questions = [...(await boardQueries(readDb)), ...(await statsQueries(readDb))];
  for (const question of questions) await measure(admin, question);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await server.stop();
}

async function measure(visitor: ApiClient, { name, procedure, input }: Question): Promise<void> {
  const times: number[] = [];
  for (let run = -WARM_UPS; run < RUNS; run++) {
    const startedAt = performance.now();
    const { status, body } = await visitor.query(procedure, input);
    if (status !== 200) throw new Error(`${name} was answered with ${status}: ${JSON.stringify(body)}`);
    if (run >= 0) times.push(performance.now() - startedAt);
  }
  const [middle, late] = [median(times), quantile(times, 0.95)];
  const isSlow = middle >= LIMIT_MS;
  if (isSlow) process.exitCode = 1;
  const figures = [middle, late].map((ms) => ms.toFixed(1).padStart(8)).join(" ");
  console.log(figures, isSlow ? "slow" : "    ", name);
}
