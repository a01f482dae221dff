import { randomInt } from "node:crypto";
import { count, readOptions } from "../../scripts/arguments.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { fuzzFilesOnOwnServer } from "./file-fuzz.ts";
import { fuzzShopNames } from "./name-fuzz.ts";
import { fuzzOrders } from "./order-fuzz.ts";
import { fuzzPrints } from "./print-fuzz.ts";
import { fuzzRest } from "./rest-fuzz.ts";
import { printTally, type Tally } from "./tally.ts";
import { fuzzTrpc } from "./trpc-fuzz.ts";
import { fuzzUnfinished } from "./unfinished-fuzz.ts";

// npm run fuzz: longer runs of the fuzz tests in `npm test`, on their own stores. Runs only the named parts, or all without a
// name. The printed seed repeats the same requests. PDF_CORPUS names a folder of more PDFs to mutate.

const LONG_RUN = {
  requests: 20_000,
  calls: 10_000,
  sequences: 300,
  prints: 500,
  names: 2000,
  leavings: 500,
  files: 1000,
};
type PartName = keyof typeof LONG_RUN;
const PARTS = Object.keys(LONG_RUN) as PartName[];

const SOME = count(1).optional();
const { options } = readOptions(
  `Usage: npm run fuzz [-- --seed N ${PARTS.map((name) => `--${name} N`).join(" ")}]`,
  {
    seed: count(0).default(() => randomInt(2 ** 31)),
    requests: SOME,
    calls: SOME,
    sequences: SOME,
    prints: SOME,
    names: SOME,
    leavings: SOME,
    files: SOME,
  },
);
const { seed } = options;
const isWhole = PARTS.every((name) => options[name] === undefined);

console.log(`Seed ${seed}`);
await part("requests", (requests) => inStore((store) => fuzzRest(store, { seed, requests })));
await part("calls", (requests) => inStore((store) => fuzzTrpc(store, { seed, requests })));
await part("sequences", (sequences) => inStore((store) => fuzzOrders(store, { seed, sequences })));
await part("prints", (prints) => inStore((store) => fuzzPrints(store, { seed, prints })));
await part("names", (names) => inStore((store) => fuzzShopNames(store, { seed, names })));
await part("leavings", (leavings) => inStore((store) => fuzzUnfinished(store, { seed, leavings })));
await part("files", async (files) => [await fuzzFilesOnOwnServer({ seed, files })]);

async function part(what: PartName, run: (wanted: number) => Promise<Tally[]>): Promise<void> {
  const wanted = isWhole ? LONG_RUN[what] : options[what];
  if (wanted === undefined) return;
  const startedAt = performance.now();
  const tallies = await run(wanted);
  for (const tally of tallies) printTally(tally);
  const made = tallies.reduce((sum, { requests }) => sum + requests, 0);
  const failed = tallies.filter(({ failure }) => failure).length;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(`${made} ${what} in ${seconds} s; of ${tallies.length} kinds ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
}

async function inStore(run: (store: TestStore) => Promise<Tally[]>): Promise<Tally[]> {
  const store = await startTestStore();
  try {
    return await run(store);
  } finally {
    await store.stop();
  }
}
