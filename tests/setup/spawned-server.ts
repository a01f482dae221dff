import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { ApiClient } from "./api-client.ts";
import { databaseUrlFor } from "./test-database.ts";

/** The environment for a child process without this process's settings; it has PATH and the compile cache. */
export const BARE_ENVIRONMENT = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

/** A process of Node that listens. */
export interface Program {
  child: ChildProcess;
  /** What it has printed before it listened. */
  greeting: string[];
  /** The lines of its log so far. */
  lines: string[];
  /** Where it listens; undefined when it has ended before. */
  opened: Promise<string | undefined>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

interface Surroundings {
  /** The working directory. */
  root?: string;
  /** A file for its log, of which `lines` then stays empty: reading it would slow down who measures the program. */
  log?: string;
  /** The beginning of the last line of its greeting. */
  lastLine?: string;
}

/** Runs Node with these arguments and with no other settings than these. The program prints `open at` with its address. */
export function startProgram(
  args: string[],
  env: Record<string, string>,
  { root = ".", log, lastLine = "" }: Surroundings = {},
): Program {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...BARE_ENVIRONMENT, ...env },
    stdio: ["ignore", "pipe", log ? openSync(log, "a") : "pipe"],
  });
  const lines: string[] = [];
  if (child.stderr) createInterface(child.stderr).on("line", (line) => lines.push(line));
  const greeting: string[] = [];
  return {
    child,
    greeting,
    lines,
    opened: readAddress(child, greeting, lastLine),
    async stop(signal = "SIGTERM") {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, "exit");
    },
  };
}

async function readAddress(
  { stdout }: ChildProcess,
  greeting: string[],
  lastLine: string,
): Promise<string | undefined> {
  if (!stdout) throw new Error("The program's output is not read");
  let address: string | undefined;
  for await (const line of createInterface(stdout)) {
    greeting.push(line);
    address ??= /open at (\S+)/.exec(line)?.[1];
    if (address && line.startsWith(lastLine)) break;
  }
  stdout.resume();
  return address;
}

export interface SpawnedServer extends Omit<Program, "opened"> {
  /** The address of this server itself, even if PUBLIC_URL names a proxy. */
  url: string;
  visitor(): ApiClient;
}

/**
 * Starts the server as an operator does: as a process with this data folder. `root` is the folder of the program, and
 * `args` are options for Node. The caller stops it.
 */
export async function spawnServer(
  dataDir: string,
  env: Record<string, string> = {},
  { root = ".", args = ["dist/server/main.js"] } = {},
): Promise<SpawnedServer> {
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: env.DATABASE_URL ?? (await databaseUrlFor(dataDir)),
    PORT: "0",
    RATE_LIMIT_SCALE: "0",
    SOFFICE: "off",
    ...env,
  };
  const program = startProgram(args, settings, { root, lastLine: "Mails " });
  const opened = await program.opened;
  if (!opened) throw new Error(`The server did not start: ${program.lines.join("\n")}`);
  const url = env.PUBLIC_URL ? `http://127.0.0.1:${env.PORT}` : opened;
  return { ...program, url, visitor: () => new ApiClient(url) };
}

/** The resident memory of a process in MB, now and at its peak. Linux only. */
export async function residentMegabytes(pid: number | undefined): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { now: megabytes("VmRSS"), peak: megabytes("VmHWM") };
}
