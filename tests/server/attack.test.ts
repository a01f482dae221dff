import { expect, test } from "vitest";
import { runAttacks } from "../chaos/attack.ts";

// A short version of `npm run chaos -- --attack`.

test("a server that is attacked in every way we know serves a student meanwhile, within its memory", {
  timeout: 600_000,
}, async () => {
  const { findings, rows } = await runAttacks({ scale: 0.1 });
  expect(findings.flatMap(({ check, wrong }) => wrong.map((each) => `${check}: ${each}`))).toEqual([]);
  expect(rows.every(({ served }) => served > 0)).toBe(true);
});
