import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("what a load has left behind is collected once the server is idle", async () => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "leave-garbage.ts")]);
  expect(JSON.parse(stdout)).toEqual({ atWork: true, atRest: false });
});
