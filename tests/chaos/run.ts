import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#db/open.ts";
import { createDice } from "../load/dice.ts";
import { freePort } from "../setup/free-port.ts";
import { DURABLE, startPostgres } from "../setup/postgres-server.ts";
import { checkDatabase, checkFiles, checkMails, checkOrders } from "./checks.ts";
import { checkIntegrity, type Finding, isSettled, readStoreRows } from "./database.ts";
import { DiskFiller, killAtRandom, MailServer, type SmtpBehaviour } from "./disasters.ts";
import { ADMIN, actAsStaff, actAsStudent } from "./people.ts";
import { ServerProcess } from "./server-process.ts";
import { Ledger, World, WorldEnded } from "./world.ts";

/** The plan of one run. The same plan makes the same decisions, at times that depend on the machine. */
export interface ChaosPlan {
  seed: number;
  kills: number;
  students: number;
  staff: number;
  smtp: SmtpBehaviour;
  /** Uses a temporary PostgreSQL instead of SQLite. */
  postgres: boolean;
  /** Fills the disk now and then. */
  diskFull: boolean;
  /** Longest time under load between a start and the next kill. */
  longestLifeMs: number;
}

const SETTLE_MS = 30_000;
/** How long clients may wait for their responses after the last kill. */
const LAST_WISHES_MS = 60_000;

/** The data of the server, kept from start to start. */
interface Home {
  dataDir: string;
  databaseUrl: string;
}

export interface ChaosOutcome {
  ledger: Ledger;
  findings: Finding[];
  kills: number;
  starts: number;
  seconds: number;
}

/** Runs the server under load, kills it repeatedly, and checks what is left. `folder` is for its data. */
export async function runChaos(plan: ChaosPlan, folder?: string): Promise<ChaosOutcome> {
  const startedAt = performance.now();
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), "print-store-chaos-")));
  const postgres = plan.postgres ? await startPostgres(DURABLE) : null;
  const databaseUrl = postgres?.url("postgres") ?? `file:${join(dataDir, "store.sqlite")}`;
  const home = { dataDir, databaseUrl };
  const post = await MailServer.open();
  const port = await freePort();
  const server = new ServerProcess({
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    SMTP_URL: post.url,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    RATE_LIMIT_SCALE: "0",
    MAX_UNORDERED_MB: "10000000",
    MIN_FREE_MB: "0",
    SEED_DEMO: "true",
    LOG_LEVEL: "error",
  });
  const ledger = new Ledger();
  const baseUrl = `http://127.0.0.1:${port}`;
  const world = new World({ ledger, post, baseUrl, mayBeFull: plan.diskFull });
  try {
    const kills = await live(plan, world, server, home);
    const findings = [...(await inspect(home, ledger, post, plan)), ...faults(server, ledger, plan)];
    const seconds = (performance.now() - startedAt) / 1000;
    return { ledger, findings, kills, starts: server.starts, seconds };
  } finally {
    await server.kill();
    await post.close();
    await postgres?.stop();
    if (!folder) await rm(dataDir, { recursive: true, force: true });
  }
}

/**
 * Runs the load and the kills; then everything works again, and the server gets one more start and some time. Returns
 * the kills.
 */
async function live(plan: ChaosPlan, world: World, server: ServerProcess, home: Home): Promise<number> {
  const dice = createDice(plan.seed);
  server.start();
  const people = [
    ...Array.from({ length: plan.students }, (_, n) =>
      actAsStudent(world, createDice(dice.int(0, 2 ** 30)), `student${n}`),
    ),
    ...Array.from({ length: plan.staff }, () => actAsStaff(world, createDice(dice.int(0, 2 ** 30)))),
  ];
  const everyone = Promise.all(people.map((person) => person.catch(exceptGivingUp)));
  const filler = new DiskFiller(home.dataDir, createDice(dice.int(0, 2 ** 30)));
  try {
    if (plan.smtp !== "accept") await sleepUntil(() => world.ledger.accounts.size > plan.students);
    world.maySignUp = plan.smtp === "accept";
    await world.post.behave(plan.smtp);
    if (plan.diskFull) filler.start();
    await Promise.race([killAtRandom(server, dice, plan), everyone]);
    await filler.stop();
    await world.post.behave("accept");
    await server.keepOpen();
    await sleep(plan.longestLifeMs);
    world.isOver = true;
    const isAnswered = await Promise.race([everyone, sleep(LAST_WISHES_MS, null, { ref: false })]);
    if (!isAnswered) world.ledger.surprises.push("somebody still has no answer, long after the last kill");
  } finally {
    world.isOver = true;
    await filler.stop();
  }
  await server.kill();
  await settle(server, home);
  return plan.kills + 1;
}

function exceptGivingUp(error: unknown): void {
  if (!(error instanceof WorldEnded)) throw error;
}

/** Gives the last start the time for its start-up work, and stops it properly. */
async function settle(server: ServerProcess, { databaseUrl }: Home): Promise<void> {
  server.start();
  await server.keepOpen();
  const database = await openDatabase(databaseUrl);
  await sleepUntil(() => isSettled(database.readDb), SETTLE_MS);
  await database.close();
  await server.stop();
}

async function inspect(
  { dataDir, databaseUrl }: Home,
  ledger: Ledger,
  post: MailServer,
  plan: ChaosPlan,
): Promise<Finding[]> {
  const { db, close } = await openDatabase(databaseUrl);
  try {
    const remains = await readStoreRows(db);
    return [
      ...checkOrders(remains, ledger),
      ...checkFiles(remains, dataDir, ledger),
      ...checkMails(remains, post, plan.smtp),
      ...checkDatabase(remains, ledger),
      ...(await checkIntegrity(db)),
    ];
  } finally {
    await close();
  }
}

/** The errors in the log. A full disk may be logged; failed mails are checked with the mails. */
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

async function sleepUntil(isDone: () => boolean | Promise<boolean>, withinMs = 120_000): Promise<void> {
  for (let waited = 0; waited < withinMs && !(await isDone()); waited += 100) await sleep(100);
}
