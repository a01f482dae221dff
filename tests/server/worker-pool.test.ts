import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { WorkerPool } from "#server/worker-pool.ts";
import { tempFolder } from "../setup/temp-database.ts";

const ECHO = `
import { parentPort } from "node:worker_threads";
parentPort.on("message", (output) => parentPort.postMessage({ ok: true, output, worn: false }));
parentPort.postMessage("ready");`;

test("a worker that cannot start fails the request, and the next one is answered once it can", async () => {
  const path = join(await tempFolder(), "worker.mjs");
  await writeFile(path, `throw new Error("no engine here");`);
  const pool = new WorkerPool<string, string>({ module: pathToFileURL(path), resourceLimits: {} });
  onTestFinished(() => pool.close());

  await expect(pool.run("one", { limitMs: 5000 })).rejects.toThrow("no engine here");
  await writeFile(path, ECHO);
  expect(await pool.run("two", { limitMs: 5000 })).toBe("two");
});
