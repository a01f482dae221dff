import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { type ChaosOutcome, type ChaosPlan, runChaos } from "../chaos/run.ts";

// A short version of `npm run chaos`.

const SHORT: ChaosPlan = {
  seed: 11,
  kills: 2,
  students: 3,
  staff: 1,
  smtp: "accept",
  postgres: false,
  diskFull: false,
  longestLifeMs: 800,
};
const TIMEOUT = { timeout: 600_000 };

const wrongs = ({ findings }: ChaosOutcome) =>
  findings.flatMap(({ check, wrong }) => wrong.map((each) => `${check}: ${each}`));

test.each<[string, Partial<ChaosPlan>]>([
  ["SQLite", {}],
  ["PostgreSQL, while the mail server is silent", { postgres: true, smtp: "hang" }],
])("nothing confirmed is lost when the server is killed under load, on %s", TIMEOUT, async (_name, plan) => {
  const outcome = await runChaos({ ...SHORT, ...plan });
  expect(wrongs(outcome)).toEqual([]);
  expect(outcome.ledger.orders.size).toBeGreaterThan(0);
  expect(outcome.ledger.lostAnswers).toBeGreaterThan(0);
});

test("nothing confirmed is lost when the disk is full", TIMEOUT, ({ skip }) => {
  const ownMount = ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
  const canMount = spawnSync("unshare", ownMount).status === 0;
  skip(!canMount, "needs a system that lets a process mount a small disk of its own");
  const args = ["tests/chaos/main.ts", "--disk-full", "--kills", "2", "--students", "3", "--staff", "1"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status, stdout).toBe(0);
  expect(stdout).toContain("orders answered");
});
