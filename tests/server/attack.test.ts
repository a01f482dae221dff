import { expect, test } from "vitest";
import { runAttacks } from "../chaos/attack.ts";
import { ATTACKS } from "../chaos/attacks.ts";

// A short version of `npm run chaos -- --attack`. Of its attacks, `bodies`, `streams`, `response-cache`, `upload-quota`
// and `accounts.lockouts` make the others, with more connections, requests and tries than would fit in here.
const ATTACKED_WITH = [
  "PDFs of fresh accounts that take long to read, or too much memory",
  "receipts and packs with fifty names in twelve scripts",
];

test("a server attacked with expensive files still serves a student, within its memory limit", {
  timeout: 600_000,
}, async () => {
  const attacks = ATTACKS.filter(({ name }) => ATTACKED_WITH.includes(name));
  const { findings, rows } = await runAttacks({ scale: 0.01, attacks });
  expect(rows.map(({ name }) => name)).toEqual(ATTACKED_WITH);
  expect(findings.flatMap(({ check, wrong }) => wrong.map((each) => `${check}: ${each}`))).toEqual([]);
  expect(rows.every(({ served }) => served > 0)).toBe(true);
});
