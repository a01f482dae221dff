import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { spawnServer } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";

const run = promisify(execFile);

test("garbage of a load is collected once the server is idle", async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "leave-garbage.ts")]);
  expect(JSON.parse(stdout)).toEqual({ atWork: true, atRest: false });
});

test("a few uploads do not each cause a full garbage collection", async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "receive-bytes.ts")]);
  const { times } = JSON.parse(stdout) as { times: number };
  expect(times).toBeLessThan(4);
});

/** Makes a process write each flag to its log that it sets for V8. */
const LOG_FLAGS = `data:text/javascript,
import v8 from "node:v8";
import { syncBuiltinESMExports } from "node:module";
const set = v8.setFlagsFromString;
v8.setFlagsFromString = (flag) => {
  console.error(flag);
  set(flag);
};
syncBuiltinESMExports();`;

test("a server process sets how its memory grows, and collects what its start has left once it is idle", async () => {
  const args = ["--import", LOG_FLAGS, "dist/server/main.js"];
  const server = await spawnServer(await tempFolder(), {}, { args });
  onTestFinished(() => server.stop());
  const flags = () => server.lines.filter((line) => line.startsWith("--"));
  const growth = ["--heap-growing-percent=200", "--scavenger-max-new-space-capacity-mb=8"];
  await expect.poll(flags).toEqual([...growth, "--expose-gc"]);
});
