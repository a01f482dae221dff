import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Program, startProgram } from "../setup/spawned-server.ts";

const MAIN = resolve(import.meta.dirname, "../../dist/server/main.js");
const OPEN_WITHIN_MS = 60_000;
const RESTART_MS = 500;
const MAX_RESTARTS = 20;
const PINO_ERROR = 50;

/** The server as a process, with the same data folder and address at every start. */
export class ServerProcess {
  readonly #env: Record<string, string>;
  readonly #programs: Program[] = [];
  readonly #ends: string[] = [];
  #isEnding = false;

  constructor(env: Record<string, string>) {
    this.#env = env;
    process.once("exit", () => this.#program?.child.kill("SIGKILL"));
  }

  get pid(): number | undefined {
    return this.#program?.child.pid;
  }

  get starts(): number {
    return this.#programs.length;
  }

  /** Exits that nobody asked for, and errors in the log. */
  get faults(): string[] {
    const entries = this.#programs.flatMap(({ lines }) => lines.flatMap((line) => readEntry(line) ?? []));
    const errors = entries.filter(({ level }) => level >= PINO_ERROR);
    const said = errors.map(({ msg, error, err }) => [msg, error ?? err?.message].filter(Boolean).join(": "));
    return [...said, ...this.#ends];
  }

  get #program(): Program | undefined {
    return this.#programs.at(-1);
  }

  start(): void {
    const program = startProgram([MAIN], this.#env);
    this.#programs.push(program);
    this.#isEnding = false;
    program.child.once("close", (code, signal) => {
      if (this.#program !== program || this.#isEnding) return;
      // What is no entry of the log, such as a refusal to start.
      const said = program.lines.filter((line) => !readEntry(line));
      this.#ends.push(`ended by itself with ${signal ?? code}: ${said.join(" ")}`);
    });
  }

  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  /** Stops it as an operator does; an exit code that tells of an error is a fault. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    const code = this.#program?.child.exitCode;
    if (code !== 0) this.#ends.push(`the server ended with ${code} when it was told to stop`);
  }

  /** Waits until it listens; if it could not start, starts it again for a while, as an operator would. */
  async keepOpen(): Promise<void> {
    for (let tries = 0; !(await Promise.race([this.#program?.opened, tooLong()])); tries++) {
      if (tries === MAX_RESTARTS) throw new Error(`the server does not start: ${this.#ends.at(-1)}`);
      await sleep(RESTART_MS);
      this.start();
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#isEnding = true;
    await this.#program?.stop(signal);
  }
}

interface LogEntry {
  level: number;
  msg: string;
  error?: string;
  err?: { message: string };
}

function readEntry(line: string): LogEntry | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

async function tooLong(): Promise<never> {
  await sleep(OPEN_WITHIN_MS, undefined, { ref: false });
  throw new Error("the server neither opened nor ended within a minute");
}
