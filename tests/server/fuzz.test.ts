import { afterAll, beforeAll, expect, test } from "vitest";
import { fuzzShopNames } from "../fuzz/name-fuzz.ts";
import { fuzzPrints } from "../fuzz/print-fuzz.ts";
import { everyRow, fuzzCalls, fuzzRefusals, prepareTrpcFuzz, type TrpcFuzz } from "../fuzz/trpc-fuzz.ts";
import { fuzzUnfinished } from "../fuzz/unfinished-fuzz.ts";
import { tempStore, testStore } from "../setup/test-store.ts";
import { waitUntilIdle } from "./strangers.data.ts";

const SEED = 20_261_121;

const store = testStore();
let fuzz: TrpcFuzz;
beforeAll(async () => {
  fuzz = await prepareTrpcFuzz(store);
});
afterAll(async () => {
  fuzz.close();
});

test("300 calls that must be refused are refused and change nothing", async () => {
  await waitUntilIdle(store);
  const before = await everyRow(store);
  const tallies = await fuzzRefusals(fuzz, { seed: SEED, requests: 300 });
  expect(tallies.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(tallies.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(300);
  expect(await everyRow(store)).toEqual(before);
});

test("250 random calls by people who may make them break nothing", async () => {
  const tallies = await fuzzCalls(fuzz, { seed: SEED, requests: 250 });
  expect(tallies.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(tallies.filter(({ answers }) => answers[200]).length).toBeGreaterThan(20);
});

test("prints of 8 orders of hostile PDFs match the bill and have no active content", async () => {
  const [tally] = await fuzzPrints(store, { seed: SEED, prints: 8 });
  expect(tally?.failure).toBeNull();
  expect(Object.keys(tally?.answers ?? {})).toEqual(expect.arrayContaining(["upload 422", "pack 200"]));
});

test("an owner cannot take any of 60 names that look like another shop's", async () => {
  // The random calls may have required a second factor of all staff, which this owner lacks.
  const own = await tempStore();
  const [tally] = await fuzzShopNames(own, { seed: SEED, names: 60 });
  expect([tally?.failure, tally?.requests]).toEqual([null, 60]);
});

test("aborted requests and streams leave nothing behind", async () => {
  const [tally] = await fuzzUnfinished(store, { seed: SEED, leavings: 15 });
  expect(tally?.failure).toBeNull();
});
