import { afterAll, beforeAll, expect, test } from "vitest";
import { everyRow, fuzzCalls, fuzzRefusals, prepareTrpcFuzz, type TrpcFuzz } from "../fuzz/trpc-fuzz.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { untilQuiet } from "./strangers.belongings.ts";

const SEED = 20_261_121;

let store: TestStore;
let fuzz: TrpcFuzz;
beforeAll(async () => {
  store = await startTestStore();
  fuzz = await prepareTrpcFuzz(store);
});
afterAll(async () => {
  fuzz.close();
  await store.stop();
});

test("600 calls that must be refused are, and change nothing at all", async () => {
  await untilQuiet(store);
  const before = await everyRow(store);
  const tallies = await fuzzRefusals(fuzz, { seed: SEED, requests: 600 });
  expect(tallies.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(tallies.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(600);
  expect(await everyRow(store)).toEqual(before);
}, 60_000);

test("400 calls of every kind by those who may make them break nothing", async () => {
  const tallies = await fuzzCalls(fuzz, { seed: SEED, requests: 400 });
  expect(tallies.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(tallies.filter(({ answers }) => answers[200]).length).toBeGreaterThan(20);
}, 60_000);
