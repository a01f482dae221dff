import { expect, test } from "vitest";
import { createLog } from "#server/lib/log.ts";

test("input cannot start a new log line or add a field to one", () => {
  let written = "";
  const log = createLog("info", { write: (text) => (written += text) });
  const forged = 'kept\r\n{"level":10,"msg":"nothing happened"}\u2028","level":10,"x":"';
  log.error({ err: new Error(forged), file: forged }, forged);
  const lines = written.split(/[\r\n]+/).filter(Boolean);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: 50, msg: forged, file: forged });
});
