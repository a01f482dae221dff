import { closeSync, openSync, rmSync, statfsSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../load/dice.ts";
import { type InboxRules, type ReceivedMail, SmtpInbox } from "../setup/smtp-inbox.ts";
import type { ServerProcess } from "./server-process.ts";

/** How the mail server behaves while the server is killed: correctly, or in one of the ways it may fail. */
export const SMTP_BEHAVIOURS = ["accept", "refuse", "hang", "4xx", "5xx"] as const;
export type SmtpBehaviour = (typeof SMTP_BEHAVIOURS)[number];

/** A mail server whose behaviour can be changed, always at the same address. */
export class MailServer {
  readonly #inboxes: SmtpInbox[] = [];
  readonly #port: number;
  #behaviour: SmtpBehaviour = "accept";
  #isListening = true;

  private constructor(first: SmtpInbox) {
    this.#port = first.port;
    this.#inboxes.push(first);
  }

  static async open(): Promise<MailServer> {
    const rules: InboxRules = {};
    const server = new MailServer(await SmtpInbox.start(rules));
    rules.recipient = () => server.#answer();
    return server;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  /** All accepted mails. */
  get mails(): ReceivedMail[] {
    return this.#inboxes.flatMap((inbox) => inbox.mails);
  }

  async behave(behaviour: SmtpBehaviour): Promise<void> {
    this.#behaviour = behaviour;
    if (behaviour === "refuse" && this.#isListening) await this.close();
    if (behaviour !== "refuse" && !this.#isListening) await this.#reopen();
  }

  /** The codes in the mails to this address, in order. */
  codesFor(address: string): string[] {
    const mails = this.mails.filter(({ recipients }) => recipients.includes(address));
    return mails.flatMap(({ text = "" }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
  }

  async close(): Promise<void> {
    this.#isListening = false;
    await this.#inboxes.at(-1)?.close();
  }

  async #reopen(): Promise<void> {
    this.#isListening = true;
    this.#inboxes.push(await SmtpInbox.start({ port: this.#port, recipient: () => this.#answer() }));
  }

  #answer(): number | "silence" | undefined {
    const answers = { accept: undefined, refuse: 421, hang: "silence", "4xx": 450, "5xx": 550 } as const;
    return answers[this.#behaviour];
  }
}

const KB = 1024;
const CHUNKS = [1024 * KB, 64 * KB, 4 * KB] as const;
/** A larger disk is the machine's own: the small one is unmounted when somebody deletes its folder. */
const LARGEST_DISK = 1024 * 1024 * KB;

/** Fills the server's disk and frees it again, repeatedly. */
export class DiskFiller {
  readonly #path: string;
  readonly #dice: Dice;
  #isWanted = false;
  #done: Promise<void> = Promise.resolve();

  constructor(dataDir: string, dice: Dice) {
    this.#path = join(dataDir, "ballast");
    this.#dice = dice;
  }

  start(): void {
    this.#isWanted = true;
    this.#done = this.#live();
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    await this.#done;
  }

  async #live(): Promise<void> {
    while (this.#isWanted) {
      await sleep(this.#dice.int(1000, 6000));
      const until = performance.now() + this.#dice.int(300, 3000);
      // Space that becomes free meanwhile is filled too.
      while (this.#isWanted && performance.now() < until) {
        this.#fill();
        await sleep(20);
      }
      rmSync(this.#path, { force: true });
    }
  }

  #fill(): void {
    const { blocks, bsize } = statfsSync(dirname(this.#path));
    if (blocks * bsize > LARGEST_DISK) throw new Error("the disk to fill is not the small one");
    const file = openSync(this.#path, "a");
    try {
      for (const size of CHUNKS) writeUntilFull(file, Buffer.alloc(size));
    } finally {
      closeSync(file);
    }
  }
}

function writeUntilFull(file: number, chunk: Buffer): void {
  try {
    for (;;) writeSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

const SHORTEST_LIFE_MS = 50;
const STARTING_MS = 1500;

interface Kills {
  kills: number;
  /** Longest time under load between a start and the next kill. */
  longestLifeMs: number;
}

/** Kills the server repeatedly, mostly under load and sometimes while it starts, and restarts it at once. */
export async function killAtRandom(
  server: ServerProcess,
  dice: Dice,
  { kills, longestLifeMs }: Kills,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const whileStarting = dice.chance(0.15);
    const lifeMs = dice.int(SHORTEST_LIFE_MS, whileStarting ? STARTING_MS : longestLifeMs);
    if (!whileStarting) await server.keepOpen();
    await sleep(lifeMs);
    await server.kill();
    server.start();
  }
}
