import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { FULL, QUICK } from "./plan.ts";
import { benchReport } from "./report.ts";
import { describeMachine } from "./results.ts";
import { PARTS, type Part, runBench } from "./run.ts";

// npm run bench: measures the built server next to limits and peers in one run, and writes the results to
// docs/benchmarks.md. --quick only shows that everything runs, --only reads,orders measures some parts, --out names
// another file, and --large a folder that keeps the large store of the growth part for the next run. A run with any
// failed request writes nothing.

const PAGE = resolve(import.meta.dirname, "../../docs/benchmarks.md");

try {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string", default: PARTS.join() },
      out: { type: "string", default: PAGE },
      large: { type: "string" },
    },
  });
  const plan = values.quick ? QUICK : FULL;
  const results = await runBench(plan, readParts(values.only), values.large);
  const page = benchReport(results, { machine: describeMachine(), plan, date: new Date() });
  await writeFile(values.out, page);
  console.log(page);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readParts(only: string): Part[] {
  const named = only.split(",");
  const unknown = named.find((name) => !PARTS.some((part) => part === name));
  if (unknown !== undefined) throw new Error(`--only takes some of ${PARTS.join(", ")}; not "${unknown}"`);
  return PARTS.filter((part) => named.includes(part));
}
