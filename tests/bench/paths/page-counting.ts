import { join } from "node:path";
import pLimit from "p-limit";
import { createPdfInspector } from "#server/files/pdf/inspector.ts";
import { startBareEngine } from "../limits/pdf-engine.ts";
import { writeMixedPdfs } from "../pdf-files.ts";
import { type BenchPlan, FILES_AT_ONCE } from "../plan.ts";
import { type Burst, type Comparison, compare, quantile } from "../results.ts";

/**
 * The server's page counting, with its worker, limits and checks, next to the bare engine. Both count one file at a
 * time, the server because all files come from one account. As with uploads, some files are submitted while another is
 * counted.
 */
export async function measurePageCounting(plan: BenchPlan, folder: string): Promise<Comparison> {
  const paths = await writeMixedPdfs(join(folder, "pdfs"));
  const countBare = await startBareEngine();
  const inspector = createPdfInspector(0);
  const inspect = async (path: string) => {
    const inspection = await inspector.inspect(path, { account: "bench" });
    if (!inspection.ok) throw new Error(`${path} was refused: ${inspection.reason}`);
    return inspection.pages;
  };
  for (const path of paths) {
    const [ours, bare] = [await inspect(path), countBare(path)];
    if (ours !== bare) throw new Error(`${path} has ${bare} pages, and ${ours} were counted`);
  }
  const comparison = await compare(plan, {
    path: `page counting, ${paths.length} mixed files`,
    limit: "PDFium alone",
    unit: "files",
    atLeast: 0.8,
    ours: (seconds) => countFor(seconds, paths, inspect),
    limits: (seconds) => countFor(seconds, paths, countBare),
  });
  await inspector.close();
  return comparison;
}

async function countFor(
  seconds: number,
  paths: string[],
  count: (path: string) => Promise<number> | number,
): Promise<Burst> {
  const inTurn = pLimit(FILES_AT_ONCE);
  const times: number[] = [];
  const timed = async (path: string) => {
    const askedAt = performance.now();
    await count(path);
    times.push(performance.now() - askedAt);
  };
  const startedAt = performance.now();
  do {
    await Promise.all(paths.map((path) => inTurn(timed, path)));
  } while (performance.now() - startedAt < seconds * 1000);
  const perSecond = (times.length * 1000) / (performance.now() - startedAt);
  return { perSecond, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
