import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ApiClient } from "../setup/api-client.ts";
import { type SpawnedServer, spawnServer } from "../setup/spawned-server.ts";
import { fuzzFiles } from "./file-fuzz.ts";
import { RawClient } from "./raw-client.ts";
import { sendAs } from "./senders.ts";
import { addTallies, type Tally } from "./tally.ts";

const ADMIN = { email: "fuzz@print-store.example", password: "flip splice truncate swap" };
/** Students who upload at the same time. */
const STREAMS = 2;
const WARM_UPS = 30;
const PAUSE_MS = 10;
const CALM_MS = 10_000;
/** Longer than idle workers take to exit and free their memory. */
const REST_MS = 45_000;

/** Uploads mutated PDFs to a server process of its own, and prints what it does to other calls and to its memory. */
export async function fuzzHostileFiles({ seed, files }: { seed: number; files: number }): Promise<Tally> {
  const dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  const server = await spawnServer(dataDir, { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
  const client = new RawClient(server.url);
  try {
    const visitor = server.visitor();
    const { status } = await visitor.post("/api/v1/users/login", ADMIN);
    if (status !== 200) throw new Error(`The admin could not log in: ${status}`);
    const sendAsAdmin = sendAs(client, visitor, { ...ADMIN, fullName: "", phone: "" });
    // The first upload loads modules that stay in memory.
    await fuzzFiles(sendAsAdmin, { seed: seed - 1, files: WARM_UPS });
    await wait(REST_MS);
    await report("before", server, visitor, wait(CALM_MS));
    const streams = Array.from({ length: STREAMS }, (_, index) =>
      fuzzFiles(sendAsAdmin, { seed: seed + index, files: Math.ceil(files / STREAMS) }),
    );
    await report("meanwhile", server, visitor, Promise.all(streams));
    await wait(REST_MS);
    await report("afterwards", server, visitor, wait(CALM_MS));
    const [tally] = addTallies(await Promise.all(streams));
    if (!tally) throw new Error("Nothing was uploaded");
    const errors = server.lines.filter(
      (line) => line.includes('"level":"error"') || line.includes('"level":50'),
    );
    console.log(`${errors.length} errors in the server's log`, ...errors.slice(0, 3));
    return tally;
  } finally {
    client.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Calls the shop list while `during` runs, and prints the response times and the server's memory. */
async function report(
  when: string,
  server: SpawnedServer,
  visitor: ApiClient,
  during: Promise<unknown>,
): Promise<void> {
  let isOver = false;
  const over = during.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const startedAt = performance.now();
    const { status } = await visitor.get("/api/v1/prints/shopslocation");
    if (status !== 200) throw new Error(`The list of shops answered ${status}`);
    times.push(performance.now() - startedAt);
    await wait(PAUSE_MS);
  }
  await over;
  times.sort((one, other) => one - other);
  const [median, late] = [0.5, 0.99].map((part) => times[Math.floor(part * times.length)]?.toFixed(1));
  const calls = `${times.length} calls of shopslocation, p50 ${median} ms, p99 ${late} ms`;
  console.log(`${when}: ${calls}; memory ${await memoryOf(server)}`);
}

/** Current and peak resident memory in MB, if the system reports them. */
async function memoryOf({ child }: SpawnedServer): Promise<string> {
  const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return `${megabytes("VmRSS")} MB, at most ${megabytes("VmHWM")} MB`;
}
