import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { fuzzOrders } from "../tests/fuzz/order-fuzz.ts";
import { fuzzRest } from "../tests/fuzz/rest-fuzz.ts";
import { printTally, type Tally } from "../tests/fuzz/tally.ts";
import { fuzzTrpc } from "../tests/fuzz/trpc-fuzz.ts";
import { startTestStore, type TestStore } from "../tests/setup/test-store.ts";

// npm run fuzz [-- --seed N] [--requests N] [--calls N] [--sequences N]: the fuzzing of `npm test` at length, over stores of its own. What is named
// alone runs; without a name all of it does. The printed seed makes the same requests again.

const LONG_RUN = { requests: 20_000, calls: 10_000, sequences: 300 };

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    requests: { type: "string" },
    calls: { type: "string" },
    sequences: { type: "string" },
  },
});
const seed = Number(values.seed ?? randomInt(2 ** 31));
const isWhole = Object.keys(LONG_RUN).every((name) => values[name as keyof typeof LONG_RUN] === undefined);
const count = (name: keyof typeof LONG_RUN) => (isWhole ? LONG_RUN[name] : Number(values[name] ?? 0));

console.log(`Seed ${seed}`);
await part(
  "REST requests",
  (store) => fuzzRest(store, { seed, requests: count("requests") }),
  count("requests"),
);
await part("tRPC calls", (store) => fuzzTrpc(store, { seed, requests: count("calls") }), count("calls"));
await part(
  "sequences",
  (store) => fuzzOrders(store, { seed, sequences: count("sequences") }),
  count("sequences"),
);

async function part(
  what: string,
  run: (store: TestStore) => Promise<Tally[]>,
  wanted: number,
): Promise<void> {
  if (wanted === 0) return;
  const store = await startTestStore();
  const startedAt = performance.now();
  try {
    const tallies = await run(store);
    for (const tally of tallies) printTally(tally);
    const made = tallies.reduce((sum, { requests }) => sum + requests, 0);
    const failed = tallies.filter(({ failure }) => failure).length;
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`${made} ${what} in ${seconds} s; of ${tallies.length} kinds ${failed} failed`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    await store.stop();
  }
}
