import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { ApiClient } from "./api-client.ts";
import { databaseUrlFor } from "./test-database.ts";

export interface SpawnedServer {
  url: string;
  child: ChildProcess;
  /** What it has written to its log so far, line by line. */
  lines: string[];
  visitor(): ApiClient;
  stop(): Promise<void>;
}

/**
 * The server as an operator starts it: a process of its own, over this data folder. `root` is where its program is. The
 * caller stops it.
 */
export async function spawnServer(
  dataDir: string,
  env: Record<string, string> = {},
  root = ".",
): Promise<SpawnedServer> {
  const databaseUrl = await databaseUrlFor(dataDir);
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: "0",
    RATE_LIMIT_SCALE: "0",
    ...env,
  };
  const child = spawn(process.execPath, ["src/server/main.ts"], {
    cwd: root,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill();
    await once(child, "exit");
  };
  const lines: string[] = [];
  createInterface(child.stderr).on("line", (line) => lines.push(line));
  for await (const line of createInterface(child.stdout)) {
    const url = /open at (\S+)/.exec(line)?.[1];
    if (url) return { url, child, lines, visitor: () => new ApiClient(url), stop };
  }
  throw new Error(`The server did not start: ${lines.join("\n")}`);
}
