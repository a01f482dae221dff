import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ApiClient } from "./api-client.ts";
import { databaseUrlFor } from "./test-database.ts";

/** The environment for a child process without this process's settings; it has PATH and the compile cache. */
export const BARE_ENVIRONMENT = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

const LAST_OF_GREETING = "Mails ";

export interface SpawnedServer {
  /** The address of this server itself, even if PUBLIC_URL names a proxy. */
  url: string;
  child: ChildProcess;
  /** The lines of its start message. */
  greeting: string[];
  /** The lines of its log so far. */
  lines: string[];
  visitor(): ApiClient;
  stop(): Promise<void>;
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
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...BARE_ENVIRONMENT, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  };
  const lines: string[] = [];
  createInterface(child.stderr).on("line", (line) => lines.push(line));
  const greeting: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    greeting.push(line);
    if (line.startsWith(LAST_OF_GREETING)) break;
  }
  const url = /open at (\S+)/.exec(greeting[0] ?? "")?.[1];
  if (!url) throw new Error(`The server did not start: ${lines.join("\n")}`);
  const own = env.PUBLIC_URL ? `http://127.0.0.1:${env.PORT}` : url;
  return { url: own, child, greeting, lines, visitor: () => new ApiClient(own), stop };
}
