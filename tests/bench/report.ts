import { arch, cpus, platform, release, totalmem } from "node:os";
import Sqlite from "better-sqlite3";
import type { BenchPlan } from "./plan.ts";
import {
  type BenchResults,
  type Bound,
  type Burst,
  type Comparison,
  type Growth,
  median,
} from "./results.ts";

const GB = 1024 ** 3;
/** How many times longer a call may take on the large store. */
const MOST_GROWTH = 2;

/** The report, as Markdown. */
export function benchReport({ comparisons, bounds, growths }: BenchResults, plan: BenchPlan): string {
  return [
    "# Benchmarks",
    "",
    `Written by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}. Every path is measured beside its limit or a peer in`,
    "the same run, so read the ratios: the figures themselves are those of this machine.",
    "",
    ...describeMachine().map((fact) => `- ${fact}`),
    "",
    ...section("Against the limits", comparisons, comparisonTable),
    ...section("Bounds", bounds, boundTable),
    ...section("How cost grows", growths, (rows) => growthTable(rows, plan)),
    ...howMeasured(plan),
    "",
  ].join("\n");
}

/** Empty if nothing was measured. */
function section<Row>(title: string, rows: Row[], table: (rows: Row[]) => string[]): string[] {
  return rows.length > 0 ? [`## ${title}`, "", ...table(rows), ""] : [];
}

function comparisonTable(rows: Comparison[]): string[] {
  return [
    "| path | ours | p50, p99 | limit | limit's | ratio (lowest–highest) | at least | |",
    "|---|--:|--:|---|--:|--:|--:|---|",
    ...rows.map(({ path, limit, unit, ours, limits, ratios, atLeast }) =>
      row([
        path,
        `${round(ours.perSecond)} ${unit}/s`,
        latencies(ours),
        limit,
        `${round(limits.perSecond)}/s`,
        `**${median(ratios).toFixed(2)}** (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`,
        atLeast.toFixed(2),
        verdict(median(ratios) >= atLeast),
      ]),
    ),
  ];
}

function boundTable(rows: Bound[]): string[] {
  return [
    "| figure | measured | bound | |",
    "|---|--:|--:|---|",
    ...rows.map(({ what, unit, measured, bound, kind }) =>
      row([
        what,
        `${round(measured)} ${unit}`,
        `${kind} ${bound} ${unit}`,
        verdict(kind === "at least" ? measured >= bound : measured <= bound),
      ]),
    ),
  ];
}

function growthTable(rows: Growth[], { shops, orders, large }: BenchPlan): string[] {
  const size = (counts: { shops: number; orders: number }) =>
    `${counts.shops.toLocaleString("en")} shops, ${counts.orders.toLocaleString("en")} orders`;
  return [
    `Median milliseconds of a call, asked of either store in turn, whose shops get as many orders a day. It may take ${MOST_GROWTH} times as long on the large one. The answers' lengths, in kB, tell where a list of the small one is not full.`,
    "",
    `| call | ${size({ shops, orders })} | ${size(large)} | times | kB | |`,
    "|---|--:|--:|--:|--:|---|",
    ...rows.map(({ call, small, large: grown }) => {
      const times = grown.ms / small.ms;
      const lengths = [small, grown].map(({ bytes }) => (bytes / 1000).toFixed(1));
      const figures = [small.ms, grown.ms, times].map((figure) => figure.toFixed(2));
      return row([call, ...figures, lengths.join(" · "), verdict(times <= MOST_GROWTH)]);
    }),
  ];
}

function howMeasured({ rounds, seconds, warmUpSeconds, calls, warmUpCalls }: BenchPlan): string[] {
  return [
    "## How it was measured",
    "",
    "The built server runs in production mode as an operator starts it (`tests/bench/world.ts`), with all its middleware,",
    "and with limits that are counted but set too high to be reached. Requests are real HTTP over loopback, sent by",
    "autocannon from another process on the same machine, 16 at once where nothing else is said. The code of the limits is",
    "in `tests/bench/limits`.",
    "",
    `Both sides are warmed up for ${warmUpSeconds} s; then they take turns, ${rounds} rounds of ${seconds} s each, and who comes first`,
    "changes with every round. A ratio is the median of those of the pairs; rates and latencies (in ms) are medians of the",
    "rounds. One failed request, or one answer that is no success, voids the whole run. Growth is the median of",
    `${calls} calls after ${warmUpCalls}, one at a time, through the same client. Between those for the best shops nothing is ordered,`,
    "where nothing else is said.",
    "",
    "Pages and what is read of shops are asked for as browsers do, who take them compressed; the list of shops is asked for",
    "as it is, too. Orders bring a file, six options and a key of their own each, are checked and priced. Their two mails",
    "are queued with them; while orders come in that fast they are delivered slowly, and what is left is delivered before",
    "the limit has its turn. That writes the same rows without looking at anything; on PostgreSQL, with fsync on, it sends",
    "the same statements. Uploads are hashed, synced, opened and counted; their limit only hashes and writes. Pages are",
    "counted in one file at a time, by either; ours is asked for four files at once. The memory is what the system holds",
    "resident for the server after it has rested.",
  ];
}

function latencies({ p50, p99 }: Burst): string {
  return p50 === null || p99 === null ? "–" : `${round(p50)}, ${round(p99)} ms`;
}

function row(cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function verdict(isMet: boolean): string {
  return isMet ? "met" : "**not met**";
}

/** Three digits for small values, whole numbers for others. */
function round(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

/** Lines about the machine and the versions. */
function describeMachine(): string[] {
  const [first] = cpus();
  const sqlite = new Sqlite(":memory:");
  const version = sqlite.prepare("select sqlite_version()").pluck().get();
  sqlite.close();
  return [
    `${cpus().length} cores, ${first?.model.trim() ?? "of an unknown kind"}`,
    `${(totalmem() / GB).toFixed(0)} GB of memory`,
    `${platform()} ${release()} on ${arch()}`,
    `Node ${process.versions.node}, SQLite ${version}`,
  ];
}
