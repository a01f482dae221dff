import { expect, test } from "vitest";
import { runAttacks } from "../chaos/attack.ts";

// A short version of `npm run chaos -- --attack`: just above what the store lets one session or account have.

test("a server under every attack we know still serves a student, within its memory limit", {
  timeout: 600_000,
}, async () => {
  const { findings, rows } = await runAttacks({ scale: 0.01 });
  expect(findings.flatMap(({ check, wrong }) => wrong.map((each) => `${check}: ${each}`))).toEqual([]);
  expect(rows.every(({ served }) => served > 0)).toBe(true);
});
