import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { fuzzRest } from "../tests/fuzz/rest-fuzz.ts";
import { printTally, type Tally } from "../tests/fuzz/tally.ts";
import { fuzzTrpc } from "../tests/fuzz/trpc-fuzz.ts";
import { startTestStore, type TestStore } from "../tests/setup/test-store.ts";

// npm run fuzz [-- --seed N] [--requests N] [--calls N]: the fuzzing of `npm test` at length, over stores of its own. What is named
// alone runs; without a name all of it does. The printed seed makes the same requests again.

const LONG_RUN = { requests: 20_000, calls: 10_000 };

const { values } = parseArgs({
  options: { seed: { type: "string" }, requests: { type: "string" }, calls: { type: "string" } },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const isWhole = Object.keys(LONG_RUN).every((name) => values[name as keyof typeof LONG_RUN] === undefined);
const count = (name: keyof typeof LONG_RUN) => (isWhole ? LONG_RUN[name] : Number(values[name] ?? 0));

console.log(`Seed ${seed}`);
await fuzz("REST", (store) => fuzzRest(store, { seed, requests: count("requests") }));
await fuzz("tRPC", (store) => fuzzTrpc(store, { seed, requests: count("calls") }));

async function fuzz(what: string, run: (store: TestStore) => Promise<Tally[]>): Promise<void> {
  const store = await startTestStore();
  const startedAt = performance.now();
  try {
    const tallies = await run(store);
    for (const tally of tallies) printTally(tally);
    const requests = tallies.reduce((sum, tally) => sum + tally.requests, 0);
    const failed = tallies.filter(({ failure }) => failure).length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${what}: ${requests} requests in ${seconds} s, ${failed} of ${tallies.length} calls failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    await store.stop();
  }
}
