import { expect, test } from "vitest";
import { fuzzRest } from "../fuzz/rest-fuzz.ts";
import { testStore } from "../setup/test-store.ts";

const SEED = 20_261_121;

/** Calls that take a secret which was mailed: nobody guesses one. */
const NEVER_GRANTED = ["verify-account", "login-with-otp", "reset-password"];

const store = testStore();

test("500 random requests are answered as the OpenAPI document says, and break nothing", async () => {
  const tallies = await fuzzRest(store, { seed: SEED, requests: 500 });
  expect(tallies.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  expect(tallies.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThanOrEqual(500);
  const granted = tallies.filter(({ name, answers }) => name.endsWith("student") && answers[200]);
  expect(granted).toHaveLength(14 - NEVER_GRANTED.length);
});
