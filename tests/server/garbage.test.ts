import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("what a load has left behind is collected once the server is idle", async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "leave-garbage.ts")]);
  expect(JSON.parse(stdout)).toEqual({ atWork: true, atRest: false });
});

test("the whole heap is not collected for each few files that are uploaded", async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "receive-bytes.ts")]);
  const { times } = JSON.parse(stdout) as { times: number };
  expect(times).toBeLessThan(4);
});
