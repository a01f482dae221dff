import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

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
