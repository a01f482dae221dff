import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { get } from "node:http";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { npmCommand } from "../../../scripts/run/npm.mjs";
import { freePort } from "../../setup/free-port.ts";
import { productionEnv } from "../child.ts";
import type { BenchPlan } from "../plan.ts";
import { type Bound, median } from "../results.ts";

const root = resolve(import.meta.dirname, "../../..");
const ASK_EVERY_MS = 3;
const TIMEOUT_MS = 60_000;

/** From the command to the first response, on a store that has been started before. */
export async function measureStarts({ starts }: Pick<BenchPlan, "starts">, folder: string): Promise<Bound[]> {
  const npmStart = [...npmCommand(), "start"];
  const serverAlone = [process.execPath, "dist/server/main.js"];
  const times = { npm: [] as number[], server: [] as number[] };
  for (let turn = -1; turn < starts; turn++) {
    const [npm, server] = [await timeStart(npmStart, folder), await timeStart(serverAlone, folder)];
    if (turn < 0) continue;
    times.npm.push(npm);
    times.server.push(server);
  }
  const bound = (what: string, values: number[], seconds: number): Bound => {
    return { what, unit: "s", measured: median(values), bound: seconds, kind: "at most" };
  };
  return [
    bound("warm npm start to the first answer", times.npm, 1),
    bound("the server process alone to the first answer", times.server, 0.4),
  ];
}

/** Seconds from the command to the first response. */
async function timeStart([program = "", ...args]: string[], folder: string): Promise<number> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, ...productionEnv({ DATA_DIR: folder, PORT: String(port), LOG_LEVEL: "error" }) },
    stdio: "ignore",
    detached: true,
  });
  try {
    while (!(await answers(port))) {
      if (performance.now() - startedAt > TIMEOUT_MS) throw new Error(`${program} did not answer`);
      await sleep(ASK_EVERY_MS);
    }
    return (performance.now() - startedAt) / 1000;
  } finally {
    await stopGroup(child, port);
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port, host: "127.0.0.1", path: "/healthz", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.once("error", () => resolve(false));
  });
}

/** Stops the command and all its child processes, and waits until they have ended. */
async function stopGroup(child: ChildProcess, port: number): Promise<void> {
  const isGone = child.exitCode !== null || child.signalCode !== null;
  const exit = isGone ? null : once(child, "exit");
  if (child.pid) process.kill(-child.pid, "SIGTERM");
  await exit;
  while (await answers(port)) await sleep(ASK_EVERY_MS);
}
