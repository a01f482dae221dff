import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { readArguments } from "../../scripts/arguments.ts";
import { npmCommand } from "../../scripts/run/npm.mjs";
import { browserCommand } from "../setup/browser.ts";
import { startTestStore } from "../setup/test-store.ts";
import { median } from "./results.ts";

// npm run lighthouse: measures the first load of the main pages as on a phone with a slow network, five times each, and
// prints the medians. Lighthouse is downloaded for the run; it is not one of the store's packages.

const LIGHTHOUSE = "lighthouse@13.5.0";
const PATHS = ["/", "/shops", "/login"];
const RUNS = 5;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
const AUDITS = ["first-contentful-paint", "largest-contentful-paint", "total-blocking-time"] as const;

interface Report {
  categories: Record<string, { score: number | null }>;
  audits: Record<
    string,
    { numericValue?: number; details?: { items?: { resourceType: string; transferSize: number }[] } }
  >;
}

readArguments("Usage: npm run lighthouse", {});
const [store, browser] = await Promise.all([startTestStore(), browserCommand()]);
try {
  for (const path of PATHS) {
    const reports: Report[] = [];
    for (let run = 0; run < RUNS; run++) reports.push(await measure(store.url + path));
    console.log(path.padEnd(8), summary(reports));
  }
} finally {
  await store.stop();
}

async function measure(url: string): Promise<Report> {
  const [npm = "npm", ...npmArgs] = npmCommand();
  const args = ["exec", "--yes", `--package=${LIGHTHOUSE}`, "--", "lighthouse", url];
  const flags = ["--quiet", "--output=json", `--chrome-flags=--headless=new ${browser.args.join(" ")}`];
  const { stdout } = await promisify(execFile)(npm, [...npmArgs, ...args, ...flags], {
    env: { ...browser.env, CHROME_PATH: browser.executablePath },
    maxBuffer: 100 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

/** Medians: scores out of 100, then milliseconds, then transferred kB by type. */
function summary(reports: Report[]): string {
  const scores = CATEGORIES.map((name) => {
    const values = reports.map(({ categories }) => (categories[name]?.score ?? 0) * 100);
    return `${name} ${Math.round(median(values))}`;
  });
  const times = AUDITS.map((name) => {
    const values = reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN);
    return `${name} ${Math.round(median(values))} ms`;
  });
  const sizes = ["Script", "Stylesheet", "Document", "Fetch", "XHR"].map((type) => {
    const values = reports.map((report) => transferred(report, type));
    return `${type} ${(median(values) / 1000).toFixed(1)} kB`;
  });
  return [...scores, ...times, ...sizes].join(", ");
}

function transferred({ audits }: Report, type: string): number {
  const items = audits["network-requests"]?.details?.items ?? [];
  return items.filter((item) => item.resourceType === type).reduce((sum, item) => sum + item.transferSize, 0);
}
