import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dice } from "../load/dice.ts";
import type { ChaosPlan } from "./run.ts";

const MAIN = resolve(import.meta.dirname, "../../dist/server/main.js");
const OPEN_WITHIN_MS = 60_000;
const RESTART_MS = 500;
const MAX_RESTARTS = 20;
const PINO_ERROR = 50;

/** The server as a process, with the same data folder and address at every start. */
export class ServerProcess {
  /** Exits that nobody asked for, and errors in the log. */
  readonly faults: string[] = [];
  starts = 0;
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  #isOpen: Promise<boolean> = Promise.resolve(false);
  #isEnding = false;

  constructor(env: Record<string, string>) {
    this.#env = env;
    process.once("exit", () => this.#child?.kill("SIGKILL"));
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...this.#env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.starts++;
    this.#child = child;
    this.#isEnding = false;
    const said: string[] = [];
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
      if (!this.#read(line)) said.push(line);
    });
    child.once("close", (code, signal) => {
      if (this.#child !== child || this.#isEnding) return;
      this.faults.push(`ended by itself with ${signal ?? code}: ${said.join(" ")}`);
    });
    this.#isOpen = opened(child);
  }

  /** True when it listens, false when it has exited. Throws when neither happens for a minute. */
  whenOpen(): Promise<boolean> {
    return Promise.race([this.#isOpen, tooLong()]);
  }

  kill(): Promise<number | null> {
    return this.#end("SIGKILL");
  }

  /** Stops it properly; returns its exit code. */
  stop(): Promise<number | null> {
    return this.#end("SIGTERM");
  }

  /** Waits until it listens; if it could not start, starts it again for a while, as an operator would. */
  async keepOpen(): Promise<void> {
    for (let tries = 0; !(await this.whenOpen()); tries++) {
      if (tries === MAX_RESTARTS) throw new Error(`the server does not start: ${this.faults.at(-1)}`);
      await sleep(RESTART_MS);
      this.start();
    }
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return null;
    this.#isEnding = true;
    const exit = once(child, "exit");
    child.kill(signal);
    const [code] = await exit;
    return code;
  }

  /** False if the line is not a log entry, such as a refusal to start. */
  #read(line: string): boolean {
    const entry = parseEntry(line);
    if (entry && entry.level >= PINO_ERROR) {
      this.faults.push([entry.msg, entry.error ?? entry.err?.message].filter(Boolean).join(": "));
    }
    return entry !== null;
  }
}

interface LogEntry {
  level: number;
  msg: string;
  error?: string;
  err?: { message: string };
}

function parseEntry(line: string): LogEntry | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

async function opened(child: ChildProcess): Promise<boolean> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (line.startsWith("Print Store is open")) {
      child.stdout?.resume();
      return true;
    }
  }
  return false;
}

async function tooLong(): Promise<never> {
  await sleep(OPEN_WITHIN_MS, undefined, { ref: false });
  throw new Error("the server neither opened nor ended within a minute");
}

const SHORTEST_LIFE_MS = 50;
const STARTING_MS = 1500;

/** Kills the server repeatedly, mostly under load and sometimes while it starts, and restarts it at once. */
export async function killAtRandom(server: ServerProcess, dice: Dice, plan: ChaosPlan): Promise<void> {
  for (let kill = 0; kill < plan.kills; kill++) {
    const whileStarting = dice.chance(0.15);
    const lifeMs = dice.int(SHORTEST_LIFE_MS, whileStarting ? STARTING_MS : plan.longestLifeMs);
    if (!whileStarting) await server.keepOpen();
    await sleep(lifeMs);
    await server.kill();
    server.start();
  }
}
