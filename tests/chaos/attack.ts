import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { orderFor } from "../factories/orders.ts";
import type { ApiAnswer } from "../setup/api-client.ts";
import { freePort } from "../setup/free-port.ts";
import { residentMegabytes } from "../setup/spawned-server.ts";
import { ATTACKS, type Attack, type Person, Remote, type Target, UNORDERED_MB } from "./attacks.ts";
import type { Finding } from "./database.ts";
import { MailServer } from "./disasters.ts";
import { ServerProcess } from "./server-process.ts";

/** The server's memory limit in deploy/, in MB; above it the process is killed. */
const MEMORY_MB = 1024;
/** How much more memory than the idle server it may use after an attack, in MB; V8's heap varies. */
const KEPT_MB = 200;
const COMES_BACK_MS = 60_000;
const LOOK_MS = 250;
/** Addresses reserved for documentation. Proxies on this machine are trusted. */
const BYSTANDERS = "198.51.100.";
const STAFF_ADDRESS = "192.0.2.1";
const ADMIN = { email: "admin@attack.example", password: "flip splice truncate swap" };
/** Fewer than a student may place in an hour; then the next student continues. */
const ORDERS_EACH = 40;

interface AttackRow {
  name: string;
  got: string;
  /** Peak memory of the process since its start, in MB. */
  peakMb: number;
  /** How much more than idle it used after the attack. */
  keptMb: number;
  /** What a student did during the attack, and the slowest response. */
  served: number;
  slowestMs: number;
}

export interface AttackOutcome {
  rows: AttackRow[];
  findings: Finding[];
}

const PASSWORD = "correct horse battery";

interface AttackPlan {
  scale: number;
  attacks?: readonly Attack[];
}

/**
 * Runs the built server as deploy/ does and attacks it in one way after another, while a student at another address
 * keeps working. Checks the server's memory, what the student got, and what the attacker got.
 */
export async function runAttacks({ scale, attacks = ATTACKS }: AttackPlan): Promise<AttackOutcome> {
  const dataDir = await mkdtemp(join(tmpdir(), "print-store-attack-"));
  const post = await MailServer.open();
  const port = await freePort();
  const server = new ServerProcess({
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    PORT: String(port),
    SMTP_URL: post.url,
    SEED_DEMO: "true",
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    MAX_UNORDERED_MB: String(UNORDERED_MB),
    LOG_LEVEL: "error",
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    server.start();
    await server.keepOpen();
    const people = new People(baseUrl, post);
    const bystander = new Bystander(people);
    await bystander.goOnce();
    const staff = new Remote(baseUrl, STAFF_ADDRESS);
    expectOk(await staff.post("/api/v1/users/login", ADMIN));
    const target: Target = {
      baseUrl,
      scale,
      get victim() {
        return bystander.email;
      },
      shopId: (await staff.get("/api/v1/prints/shopslocation")).body.data[0]._id,
      staff,
      student: (address) => people.join(address),
    };
    const idleMb = (await residentMegabytes(server.pid)).now;
    const rows: AttackRow[] = [];
    const gains: string[] = [];
    for (const attack of attacks) {
      bystander.start();
      // Also after a failure: the bystander would go on asking a server that is gone.
      const { got, wrong } = await attack.run(target).finally(() => bystander.stop());
      const seen = bystander.seen();
      const keptMb = await untilGivenBack(server.pid, idleMb);
      const { peak: peakMb } = await residentMegabytes(server.pid);
      rows.push({ name: attack.name, got, peakMb, keptMb, ...seen });
      gains.push(...wrong.map((line) => `${attack.name}: ${line}`));
    }
    await server.stop();
    return { rows, findings: findingsOf(rows, gains, bystander, server) };
  } finally {
    await server.kill();
    await post.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function findingsOf(
  rows: AttackRow[],
  gains: string[],
  bystander: Bystander,
  { faults }: ServerProcess,
): Finding[] {
  const tooMuch = rows.filter(({ peakMb }) => peakMb > MEMORY_MB);
  const kept = rows.filter(({ keptMb }) => keptMb > KEPT_MB);
  return [
    { check: "what attackers should not get", looked: rows.length, wrong: gains },
    {
      check: `memory within ${MEMORY_MB} MB`,
      looked: rows.length,
      wrong: tooMuch.map(({ name, peakMb }) => `${name}: ${Math.round(peakMb)} MB`),
    },
    {
      check: "memory given back",
      looked: rows.length,
      wrong: kept.map(({ name, keptMb }) => `${name}: ${Math.round(keptMb)} MB more than idle`),
    },
    { check: "what a student asked meanwhile", looked: bystander.asked, wrong: bystander.refusals },
    { check: "errors in the server's log", looked: faults.length, wrong: faults },
  ];
}

/** Creates accounts. */
class People {
  readonly #baseUrl: string;
  readonly #post: MailServer;
  #joined = 0;

  constructor(baseUrl: string, post: MailServer) {
    this.#baseUrl = baseUrl;
    this.#post = post;
  }

  async join(address: string): Promise<Person> {
    const visitor = new Remote(this.#baseUrl, address);
    const email = `person${++this.#joined}@attack.example`;
    const phone = `9${String(this.#joined).padStart(9, "0")}`;
    const person = {
      fullName: `Person ${this.#joined}`,
      email,
      phone,
      password: PASSWORD,
      confirmpassword: PASSWORD,
    };
    expectOk(await visitor.post("/api/v1/users/register", person));
    while (this.#post.codesFor(email).length === 0) await sleep(LOOK_MS);
    const verifyCode = this.#post.codesFor(email).at(-1);
    expectOk(await visitor.post("/api/v1/users/verify-account", { verifyCode, phone }));
    expectOk(await visitor.post("/api/v1/users/login", { email, password: PASSWORD }));
    return { visitor, email };
  }
}

/** Students who read, upload, order and save receipts, one at a time in a loop; records every refusal. */
class Bystander {
  readonly refusals: string[] = [];
  asked = 0;
  readonly #people: People;
  #student: Person | undefined;
  #students = 0;
  #orders = 0;
  #slowestMs = 0;
  #served = 0;
  #isOver = true;
  #going: Promise<void> = Promise.resolve();

  constructor(people: People) {
    this.#people = people;
  }

  /** The e-mail of the current student. */
  get email(): string {
    return this.#student?.email ?? "";
  }

  start(): void {
    this.#isOver = false;
    this.#slowestMs = 0;
    this.#served = 0;
    this.#going = this.#goOn();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#going;
  }

  /** What was seen since the start. */
  seen(): { served: number; slowestMs: number } {
    return { served: this.#served, slowestMs: Math.round(this.#slowestMs) };
  }

  /** The home page, the shops, a login in a second browser, an upload, its order and its receipt. */
  async goOnce(): Promise<void> {
    const { visitor, email } = await this.#present();
    await this.#ask("the home page", () => visitor.get("/"));
    const shops = await this.#ask("the shops", () => visitor.get("/api/v1/prints/shopslocation"));
    const login = { email, password: PASSWORD };
    await this.#ask("a login", () => visitor.post("/api/v1/users/login", login));
    const shopId: string | undefined = shops?.body.data[0]?._id;
    if (!shopId) return;
    const started = performance.now();
    const request = await orderFor(visitor, { shopId }).catch((error: unknown) => {
      this.refusals.push(`an upload: ${error instanceof Error ? error.message : error}`);
    });
    this.#note(performance.now() - started);
    if (!request) return;
    const order = await this.#ask("an order", () => visitor.post("/api/v1/prints/printorder", request));
    const id: string | undefined = order?.body.data._id;
    if (id) await this.#ask("a receipt", () => visitor.get(`/orders/${id}/receipt.pdf`));
  }

  async #present(): Promise<Person> {
    if (!this.#student || this.#orders === ORDERS_EACH) {
      this.#student = await this.#people.join(`${BYSTANDERS}${++this.#students}`);
      this.#orders = 0;
    }
    this.#orders++;
    return this.#student;
  }

  async #goOn(): Promise<void> {
    while (!this.#isOver) {
      await this.goOnce();
      await sleep(LOOK_MS * 4);
    }
  }

  async #ask(what: string, request: () => Promise<ApiAnswer>): Promise<ApiAnswer | null> {
    this.asked++;
    const started = performance.now();
    try {
      const answer = await request();
      this.#note(performance.now() - started);
      if (answer.status === 200) return answer;
      this.refusals.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`);
    } catch (error) {
      this.refusals.push(`${what}: ${error instanceof Error ? error.message : error}`);
    }
    return null;
  }

  #note(ms: number): void {
    this.#served++;
    this.#slowestMs = Math.max(this.#slowestMs, ms);
  }
}

/** Waits a while until the memory is close to that of the idle server; returns the remaining difference. */
async function untilGivenBack(pid: number | undefined, idleMb: number): Promise<number> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const kept = (await residentMegabytes(pid)).now - idleMb;
    if (kept <= KEPT_MB || waited >= COMES_BACK_MS) return kept;
    await sleep(LOOK_MS);
  }
}

function expectOk({ status, body }: ApiAnswer): void {
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body).slice(0, 200)}`);
}
