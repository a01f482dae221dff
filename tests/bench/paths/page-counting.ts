import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import { createPdfInspector } from "#server/files/pdf/inspector.ts";
import { encryptedPdf } from "../../factories/pdfs.locked.ts";
import { numberedPdf } from "../../factories/pdfs.numbered.ts";
import {
  linearizedPdf,
  pdfOfPages,
  plainPdf,
  resavedPdf,
  withPrefix,
  withWrongStartxref,
} from "../../factories/pdfs.ts";
import { startBareEngine } from "../limits/pdf-engine.ts";
import { type BenchPlan, FILES_AT_ONCE } from "../plan.ts";
import { type Burst, type Comparison, compare, quantile } from "../results.ts";

/**
 * Compares the server's inspection of an upload (counting pages and a trial copy, in a worker with time and memory limits)
 * with the same calls to the bare engine. Both process one file at a time.
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
    path: `page counting and trial copies, ${paths.length} mixed files`,
    limit: "PDFium alone, the same calls",
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

const SIZES = [1, 3, 12, 60, 250];

/** One file of each kind for each size: old and new formats, with pictures, resaved, unusual, encrypted. */
const KINDS: Record<string, (pages: number) => Uint8Array | Promise<Uint8Array>> = {
  "object-streams": pdfOfPages,
  plain: plainPdf,
  linearized: linearizedPdf,
  resaved: (pages) => resavedPdf(2 * pages, pages),
  prefixed: (pages) => withPrefix(plainPdf(pages), 500),
  "wrong-startxref": (pages) => withWrongStartxref(plainPdf(pages)),
  text: (pages) => numberedPdf("Notes", pages),
  scans: (pages) => numberedPdf("Scan", pages, { each: 20_000 }),
  "shared-picture": (pages) => numberedPdf("Slides", pages, { shared: 1_000_000 }),
  protected: (pages) => encryptedPdf(pages, "AES-256", { owner: "teacher" }),
};

/** Writes fifty PDFs of many kinds and sizes to a folder and returns their paths. */
async function writeMixedPdfs(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [kind, make] of Object.entries(KINDS)) {
    for (const pages of SIZES) {
      const path = join(folder, `${kind}-${pages}.pdf`);
      await writeFile(path, await make(pages));
      paths.push(path);
    }
  }
  return paths;
}
