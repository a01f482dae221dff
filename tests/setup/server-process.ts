import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { ApiClient } from "./api-client.ts";
import { tempFolder } from "./temp-database.ts";

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** What it has written to its log so far, line by line. */
  lines: string[];
  visitor(): ApiClient;
}

/** The server as an operator starts it: a process of its own, over a new data folder. Ends with the test. */
export async function startServerProcess(env: Record<string, string> = {}): Promise<ServerProcess> {
  const settings = { DATA_DIR: await tempFolder(), PORT: "0", RATE_LIMIT_SCALE: "0", ...env };
  const child = spawn(process.execPath, ["src/server/main.ts"], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill();
    await once(child, "exit");
  });
  const lines: string[] = [];
  createInterface(child.stderr).on("line", (line) => lines.push(line));
  for await (const line of createInterface(child.stdout)) {
    const url = /open at (\S+)/.exec(line)?.[1];
    if (url) return { url, child, lines, visitor: () => new ApiClient(url) };
  }
  throw new Error(`The server did not start: ${lines.join("\n")}`);
}
