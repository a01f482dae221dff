import { randomBytes, randomInt } from "node:crypto";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { orderFor } from "../factories/orders.ts";
import { pdfStream, writePdf } from "../factories/pdf-writer.ts";
import { decompressionBomb, deepPages } from "../factories/pdfs.hostile.ts";
import { plainObjects, plainPdf } from "../factories/pdfs.ts";
import { ApiClient } from "../setup/api-client.ts";
import { endOf, isStarted, openStreams, openUnfinishedBodies } from "./attack-sockets.ts";

/** A client at another address, as reported by a proxy on this machine. */
export class Remote extends ApiClient {
  readonly #address: string;

  constructor(baseUrl: string, address: string) {
    super(baseUrl);
    this.#address = address;
  }

  override fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set("X-Forwarded-For", this.#address);
    return super.fetch(path, { ...init, headers });
  }
}

/** What an attack can use. */
export interface Target {
  baseUrl: string;
  /** The amount of each attack: 1 is the long run. */
  scale: number;
  /** The e-mail of a student who uses the store during the attack and logs in repeatedly. */
  victim: string;
  /** A shop that takes orders, and an admin who prints them. */
  shopId: string;
  staff: Remote;
  /** A new logged-in student at this address. */
  student(address: string): Promise<Person>;
}

export interface Person {
  visitor: Remote;
  email: string;
}

export interface Attack {
  name: string;
  /** Runs the attack; returns what it got, and what of that it should not have got. */
  run(target: Target): Promise<{ got: string; wrong: string[] }>;
}

const MB = 1024 * 1024;
/** How long an attacker holds what it has opened. */
const HOLD_MS = 4000;
/** How many streams one session may open: the documented number, not the constant in the code. */
const SESSION_STREAMS = 12;
/** The MAX_UNORDERED_MB of the attacked server. */
export const UNORDERED_MB = 100;

// Made before the first connection: a busy machine takes seconds for them, and the server closes connections that are idle
// for so long.
const LARGE = pdfOfMegabytes(20);
const DEEP = new Uint8Array(deepPages(900, 5000));
const BOMB = new Uint8Array(decompressionBomb());

/** Attacks that once worked, in the order in which they run. */
export const ATTACKS: readonly Attack[] = [
  {
    name: "bodies that never end",
    async run({ baseUrl, scale }) {
      const connections = Math.round(5000 * scale);
      const login = { connections, path: "/api/v1/users/login", bytes: 8 * 1024 };
      const bodies = await openUnfinishedBodies(baseUrl, login);
      await sleep(HOLD_MS);
      const got = `${bodies.filter(({ isOpen }) => isOpen).length} of ${connections} connections stay open`;
      for (const body of bodies) body.close();
      return { got, wrong: [] };
    },
  },
  {
    name: "live streams of one session",
    async run({ baseUrl, student, scale }) {
      const { cookieHeader } = (await student("203.0.113.10")).visitor;
      const wanted = Math.round(1500 * scale);
      const streams = await openStreams(baseUrl, { streams: wanted, cookie: cookieHeader });
      const started = () => streams.filter(isStarted).length;
      const ended = () => streams.filter(endOf).length;
      await untilStill(() => started() + ended());
      const open = started() - ended();
      for (const stream of streams) stream.close();
      const wrong = open > SESSION_STREAMS ? [`${open} streams stay open`] : [];
      return { got: `${open} of ${wanted} stay open`, wrong };
    },
  },
  {
    name: "requests that never repeat",
    async run({ baseUrl, scale }) {
      const requests = Math.round(100_000 * scale);
      await askEndlessly(baseUrl, requests);
      return { got: `${requests} answers`, wrong: [] };
    },
  },
  {
    name: "files that nobody orders",
    async run({ student }) {
      const { visitor } = await student("203.0.113.30");
      let stored = 0;
      let refusal = "none";
      while (stored <= UNORDERED_MB && refusal === "none") {
        const { status, body } = await visitor.upload(LARGE);
        if (status === 200) stored += 20;
        else refusal = `${status} ${body.code}`;
      }
      const wrong = stored > UNORDERED_MB ? [`${stored} MB are stored`] : [];
      return { got: `${stored} MB stored, then ${refusal}`, wrong };
    },
  },
  {
    name: "PDFs of fresh accounts that take long to read, or too much memory",
    async run({ student, scale }) {
      const each = [...Array(atLeast(1, 3 * scale)).fill(DEEP), BOMB];
      const accounts = await inTurn(atLeast(2, 10 * scale), (index) => student(`203.0.113.${100 + index}`));
      const uploads = accounts.flatMap(({ visitor }) => each.map((pdf) => visitor.upload(pdf)));
      return { got: tally((await Promise.all(uploads)).map(({ status }) => status)), wrong: [] };
    },
  },
  {
    name: "receipts and packs with fifty names in twelve scripts",
    async run(target) {
      const { student, staff, scale } = target;
      const attackers = await inTurn(atLeast(1, 6 * scale), (index) => student(`203.0.113.${150 + index}`));
      const orders = await Promise.all(attackers.map((attacker) => orderOfFiftyNames(target, attacker)));
      let told = 0;
      const receipts = orders.flatMap(({ visitor, id }) =>
        Array.from({ length: RECEIPTS }, async (_, index) => {
          // Every second reader disconnects.
          const signal = index % 2 === 0 ? null : AbortSignal.timeout(LEAVING_MS);
          const { status } = await visitor.fetch(`/orders/${id}/receipt.pdf`, { signal });
          told++;
          return status;
        }),
      );
      const settled = Promise.allSettled(receipts);
      const before = told;
      const pack = await staff.fetch(`/admin/orders/${orders[0]?.id}/pack.pdf`);
      await pack.arrayBuffer();
      const between = told - before;
      const statuses = (await settled).map((each) => (each.status === "fulfilled" ? each.value : "left"));
      const wrong = pack.status === 200 ? [] : [`the shop's pack was answered ${pack.status}`];
      return { got: `${tally(statuses)}; the shop's pack after ${between} of them`, wrong };
    },
  },
  {
    name: "guesses at a password",
    async run({ baseUrl, victim, scale }) {
      const statuses: number[] = [];
      for (let guess = 0; guess < Math.max(45, 400 * scale); guess++) {
        const visitor = new Remote(baseUrl, `203.0.113.${50 + (guess % 4)}`);
        const login = { email: victim, password: `guess ${guess}` };
        statuses.push((await visitor.post("/api/v1/users/login", login)).status);
      }
      return { got: tally(statuses), wrong: statuses.includes(200) ? ["a guess opened the account"] : [] };
    },
  },
  {
    name: "guesses at a code",
    async run({ baseUrl, student, scale }) {
      // A separate victim: otherwise the attack would replace the code of the student who is working.
      const { email } = await student("203.0.113.60");
      const visitor = new Remote(baseUrl, "203.0.113.61");
      const statuses: number[] = [];
      for (let round = 0; round < Math.max(2, 10 * scale); round++) {
        await visitor.post("/api/v1/users/generate-otp-for-login", { email });
        for (let tried = 0; tried < 6; tried++) {
          const verifyCode = String(randomInt(1_000_000)).padStart(6, "0");
          statuses.push((await visitor.post("/api/v1/users/login-with-otp", { verifyCode, email })).status);
        }
      }
      return { got: tally(statuses), wrong: statuses.includes(200) ? ["a guess opened the account"] : [] };
    },
  },
];

const FILES = 50;
const RECEIPTS = 6;
const LEAVING_MS = 300;
/** "Crossing" or the like, in the scripts of India, in Arabic, Chinese, Japanese and Thai letters, and in none. */
const SCRIPTS = "क्षत्रिय ক্ষত্রিয় ક્ષત્રિય ਕਸ਼ਤਰੀ ಕ್ಷತ್ರಿಯ ക്ഷത്രിയ ᱠᱷᱚᱛᱨᱤ କ୍ଷତ୍ରିୟ க்ஷத்ரிய క్షత్రియ کشتری 🚀📚".split(" ");

/** An order by `attacker` with the maximum number of files, each with the longest name. */
async function orderOfFiftyNames({ shopId }: Target, { visitor }: Person) {
  const filesUrl: string[] = [];
  for (let index = 0; index < FILES; index++) {
    const words = Array.from(
      { length: SCRIPTS.length },
      (_, word) => SCRIPTS[(index + word) % SCRIPTS.length],
    );
    const { body } = await visitor.upload(new Uint8Array(plainPdf(1)), `${words.join(" ")} ${index}.pdf`);
    filesUrl.push(body.secure_url);
  }
  const order = await orderFor(visitor, { shopId, filesUrl, pages: FILES });
  const { status, body } = await visitor.post("/api/v1/prints/printorder", order);
  if (status !== 200) throw new Error(`An order of fifty files: ${status} ${JSON.stringify(body)}`);
  return { visitor, id: String(body.data._id) };
}

function atLeast(least: number, wished: number): number {
  return Math.max(least, Math.round(wished));
}

async function inTurn<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index++) made.push(await make(index));
  return made;
}

/** Waits until a count has not changed for HOLD_MS. */
async function untilStill(count: () => number): Promise<void> {
  for (let last = -1; last !== count(); ) {
    last = count();
    await sleep(HOLD_MS);
  }
}

/** A unique one-page PDF. */
function pdfOfMegabytes(megabytes: number): Uint8Array<ArrayBuffer> {
  const filling = pdfStream(Buffer.alloc(megabytes * MB, randomBytes(1000)));
  return new Uint8Array(writePdf({ ...plainObjects(1), 4: filling }));
}

/** For example "5 × 401, 40 × 429". */
function tally(statuses: (number | string)[]): string {
  const counts = Map.groupBy(statuses, (status) => status);
  return [...counts].map(([status, all]) => `${all.length} × ${status}`).join(", ");
}

/** Concurrent requests. */
const AT_ONCE = 16;

/** Requests many lists of shops, each with a new URL. */
async function askEndlessly(url: string, requests: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let next = 0;
  async function askOn(): Promise<void> {
    while (next < requests) await ask(agent, `${url}${addressOf(next++)}`);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askOn));
  agent.destroy();
}

/** Half are searches; the others request the same list each time under a new URL. */
function addressOf(index: number): string {
  const junk = `no-shop-has-this-name-${index}`;
  const query = index % 2 === 0 ? `search=${junk}` : `limit=1&junk=${junk}-${"x".repeat(200)}`;
  return `/api/v1/prints/shopslocation?${query}`;
}

function ask(agent: Agent, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(address, { agent }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} answered ${answer.statusCode}`));
      answer.resume().once("end", resolve).once("error", reject);
    }).once("error", reject);
  });
}
