import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { createDice } from "../load/dice.ts";
import { checkDatabase } from "./check-database.ts";
import { checkFiles } from "./check-files.ts";
import { checkMails } from "./check-mails.ts";
import { checkOrders } from "./check-orders.ts";
import { DiskHog } from "./disk-hog.ts";
import type { Finding } from "./findings.ts";
import { killAtRandom } from "./killer.ts";
import { Ledger } from "./ledger.ts";
import type { ChaosPlan } from "./plan.ts";
import { PostOffice } from "./post-office.ts";
import { ServerProcess } from "./server-process.ts";
import { ADMIN, liveAsStaff } from "./staff.ts";
import { liveAsStudent } from "./students.ts";
import { World, WorldIsOver } from "./world.ts";

const SETTLE_MS = 30_000;
/** So long after the last kill everyone has got the answers that they wait for. */
const LAST_WISHES_MS = 60_000;

export interface ChaosOutcome {
  ledger: Ledger;
  findings: Finding[];
  kills: number;
  starts: number;
  seconds: number;
}

/** Runs the server under load, kills it again and again, and looks at what is left. `folder` is where its data go. */
export async function runChaos(plan: ChaosPlan, folder?: string): Promise<ChaosOutcome> {
  const startedAt = performance.now();
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), "print-store-chaos-")));
  const post = await PostOffice.open();
  const port = await freePort();
  const server = new ServerProcess({
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_URL: post.url,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT_SCALE: "0",
    SEED_DEMO: "true",
    LOG_LEVEL: "error",
  });
  const ledger = new Ledger();
  const baseUrl = `http://127.0.0.1:${port}`;
  const world = new World({ ledger, post, baseUrl, mayBeFull: plan.diskFull });
  try {
    const kills = await live(plan, world, server, dataDir);
    const findings = [...inspect(dataDir, ledger, post, plan), ...faults(server, ledger, plan)];
    const seconds = (performance.now() - startedAt) / 1000;
    return { ledger, findings, kills, starts: server.starts, seconds };
  } finally {
    await server.kill();
    await post.close();
    if (!folder) await rm(dataDir, { recursive: true, force: true });
  }
}

/** Load and kills; then everything is well again, and the server has one more start and some time. Answers the kills. */
async function live(plan: ChaosPlan, world: World, server: ServerProcess, dataDir: string): Promise<number> {
  const dice = createDice(plan.seed);
  server.start();
  const people = [
    ...Array.from({ length: plan.students }, (_, n) =>
      liveAsStudent(world, createDice(dice.int(0, 2 ** 30)), `student${n}`),
    ),
    ...Array.from({ length: plan.staff }, () => liveAsStaff(world, createDice(dice.int(0, 2 ** 30)))),
  ];
  const everyone = Promise.all(people.map((person) => person.catch(exceptGivingUp)));
  const hog = new DiskHog(dataDir, createDice(dice.int(0, 2 ** 30)));
  try {
    if (plan.smtp !== "accept") await sleepUntil(() => world.ledger.accounts.size > plan.students);
    world.maySignUp = plan.smtp === "accept";
    await world.post.behave(plan.smtp);
    if (plan.diskFull) hog.start();
    await Promise.race([killAtRandom(server, dice, plan), everyone]);
    await hog.stop();
    await world.post.behave("accept");
    await server.keepOpen();
    await sleep(plan.longestLifeMs);
    world.isOver = true;
    const isAnswered = await Promise.race([everyone, sleep(LAST_WISHES_MS, null, { ref: false })]);
    if (!isAnswered) world.ledger.surprises.push("somebody still has no answer, long after the last kill");
  } finally {
    world.isOver = true;
    await hog.stop();
  }
  await server.kill();
  await settle(server, dataDir);
  return plan.kills + 1;
}

function exceptGivingUp(error: unknown): void {
  if (!(error instanceof WorldIsOver)) throw error;
}

/** Gives the last start the time for what a start does, and ends it in order. */
async function settle(server: ServerProcess, dataDir: string): Promise<void> {
  server.start();
  await server.keepOpen();
  const database = new Sqlite(join(dataDir, "store.sqlite"), { readonly: true });
  const unsettled = database
    .prepare(
      `select (select count(*) from files where deleted_at is not null and erased_at is null)
         + (select count(*) from outbox where sent_at is null and failed_at is null and due_at <= ?)`,
    )
    .pluck();
  await sleepUntil(() => unsettled.get(new Date().toISOString()) === 0, SETTLE_MS);
  database.close();
  const code = await server.stop();
  if (code !== 0) server.faults.push(`the server ended with ${code} when it was told to stop`);
}

function inspect(dataDir: string, ledger: Ledger, post: PostOffice, plan: ChaosPlan): Finding[] {
  const database = new Sqlite(join(dataDir, "store.sqlite"), { readonly: true });
  try {
    return [
      ...checkOrders(database, ledger),
      ...checkFiles(database, dataDir, ledger),
      ...checkMails(database, post, plan.smtp),
      ...checkDatabase(database, ledger),
    ];
  } finally {
    database.close();
  }
}

/** A full disk is said in the log, and nothing else is an error there; mails that are given up are checked as mails. */
function faults(server: ServerProcess, ledger: Ledger, { diskFull, smtp }: ChaosPlan): Finding[] {
  const isExpected = (fault: string) =>
    (smtp === "5xx" && fault.startsWith("mail given up")) ||
    (diskFull && /full|no space|ENOSPC/i.test(fault));
  return [
    { check: "answers that should not be", looked: ledger.surprises.length, wrong: ledger.surprises },
    {
      check: "errors in the server's log",
      looked: server.faults.length,
      wrong: server.faults.filter((fault) => !isExpected(fault)),
    },
  ];
}

async function sleepUntil(isDone: () => boolean, withinMs = 120_000): Promise<void> {
  for (let waited = 0; waited < withinMs && !isDone(); waited += 100) await sleep(100);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}
