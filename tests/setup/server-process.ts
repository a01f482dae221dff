import { onTestFinished } from "vitest";
import { type SpawnedServer, spawnServer } from "./spawned-server.ts";
import { tempFolder } from "./temp-database.ts";

export type ServerProcess = SpawnedServer;

/** A server process with a new data folder; it ends with the test. */
export async function startServerProcess(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await spawnServer(await tempFolder(), env);
  onTestFinished(() => server.stop());
  return server;
}
