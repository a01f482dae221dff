import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { MINUTE_MS } from "#shared/durations.ts";
import { loadOnce } from "#shared/load-once.ts";
import { type Client, type Share, scaledShare } from "../../lib/fair-limit.ts";
import { type JobOptions, type WorkerPlan, WorkerPool } from "../../lib/worker-pool.ts";
import type { PageFindings } from "./page-checks.ts";
import type { PageCopy } from "./print-copy.ts";

/** Opens PDFs away from the server's own thread, with a limit on time and memory. */
export interface PdfInspector {
  /** Starts a worker for an upload that is arriving. Throws RATE_LIMITED where its account may not have more files opened. */
  prepare(client?: Client): void;
  /** Counts the pages of the file at `path`, or says why it cannot be opened or printed. Never throws for bad content. */
  inspect(path: string, client?: Client): Promise<PdfInspection>;
  /**
   * Opens the locked file at `path` with its password and makes a print copy of all its pages at `target`, which needs no
   * password. "locked" when the password is wrong. What is left at `target` after a refusal is the caller's to delete.
   */
  unlock(file: { path: string; password: string; target: string }, client?: Client): Promise<PdfInspection>;
  /**
   * Checks the pages of the file at `path` from `firstPage` on for `limitMs`, one page at least: which hold colour, are blank,
   * or have text at the edge. Waits until no file is being inspected. Null where a page takes too much time or memory. Throws
   * RATE_LIMITED where its account may not have more pages checked.
   */
  checkPages(path: string, firstPage: number, limitMs: number, client?: Client): Promise<PageFindings | null>;
  close(): Promise<void>;
}

/**
 * First limit of every file; nearly all take less. A file that takes longer starts again in the slow lane, so that others
 * wait a quarter of a second for it and not five.
 */
const TRY_MS = 250;
const TRY_HEAP_MB = 128;
/** How long the slow lane may count a file, and copy it on trial: thousands of pages take seconds on a slow machine. */
const SLOW_MS = 5000;
/** A page may exceed the limit by this much before the worker is ended; the next file must wait for another one then. */
const LAST_PAGE_MS = 150;
/** How long the last portion of an unlocked copy may take beyond its limit. */
const LAST_PORTION_MS = 5000;
/** How long a single page may take to be looked at. */
const PAGE_MS = 2000;
/** The second one works while somebody else's file takes its full limit. */
const INSPECTORS = 2;
/** A file of 5,000 pages takes 0.1 s, so an hour's uploads of an account fit in. Its files are opened one after another. */
const SHARE: Share = { things: "files", atOnce: 1, waiting: 20, hourlyMs: 2 * MINUTE_MS };
/** An idle worker is kept this long, for people who upload one file after another. */
const INSPECTIONS_REST_MS = 10_000;
/**
 * Page checks wait until no file is being inspected, and then this long, since the next file often follows; after MAX_WAIT_MS
 * only for running inspections. Without it the row "POST uploads" of the bench falls: drawing pages takes longer than counting them.
 */
const PAUSE_MS = 200;
const MAX_WAIT_MS = 5000;
/** Workers of the slow lane and for page checks are seldom needed, and give their memory back soon. */
const SELDOM_REST_MS = 2000;

/**
 * Creates the inspector. Page checks have a worker of their own, so that uploads never queue behind them.
 * @param scale multiplies how many files of an account may wait and how long they may take in an hour; 0 means no limit
 * @param slowMs how long the slow lane may count a file, and how long it may copy it on trial
 * @param seldomRestMs how long an idle worker of the slow lane or for page checks is kept
 */
export function createPdfInspector(scale = 1, slowMs = SLOW_MS, seldomRestMs = SELDOM_REST_MS): PdfInspector {
  const share = scaledShare(SHARE, scale);
  const inspections = new PdfPool(
    { workers: INSPECTORS, restMs: Math.max(INSPECTIONS_REST_MS, seldomRestMs), share },
    { heapMb: TRY_HEAP_MB },
  );
  const slowLane = new PdfPool({ restMs: seldomRestMs, share });
  const pageChecks = new PdfPool({ restMs: seldomRestMs, share });
  let inspectedAt = Number.NEGATIVE_INFINITY;

  /** Waits until nothing was inspected for PAUSE_MS; after MAX_WAIT_MS, until nothing is being inspected. */
  async function untilPause(): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    const timeLeft = () => Math.min(inspectedAt + PAUSE_MS, deadline) - performance.now();
    await untilIdle();
    for (let wait = timeLeft(); wait > 0; wait = timeLeft()) {
      await sleep(wait);
      await untilIdle();
    }
  }

  async function untilIdle(): Promise<void> {
    await inspections.untilIdle();
    await slowLane.untilIdle();
  }

  async function countPages(path: string, client?: Client): Promise<PdfInspection | null> {
    const inspectFor = (limitMs: number) => ({ task: "inspect", input: { path, limitMs } }) as const;
    const tried = await inspections.run(inspectFor(TRY_MS), {
      ...client,
      limitMs: TRY_MS + LAST_PAGE_MS,
    });
    const isDone = tried && (tried.ok || tried.reason !== "too-complex");
    return isDone
      ? tried
      : slowLane.run(inspectFor(slowMs), {
          ...client,
          limitMs: 2 * slowMs + LAST_PAGE_MS,
        });
  }

  return {
    prepare(client) {
      slowLane.check(client?.account);
      inspections.prepare(client?.account);
    },
    async inspect(path, client) {
      const inspection = await countPages(path, client);
      inspectedAt = performance.now();
      return inspection ?? { ok: false, reason: "too-complex" };
    },
    async unlock(file, client) {
      const input = { ...file, limitMs: 2 * slowMs };
      const unlocked = await slowLane.run(
        { task: "unlock", input },
        { ...client, limitMs: 2 * slowMs + LAST_PORTION_MS },
      );
      inspectedAt = performance.now();
      return unlocked ?? { ok: false, reason: "too-complex" };
    },
    async checkPages(path, firstPage, limitMs, client) {
      pageChecks.check(client?.account);
      await untilPause();
      const input = { path, firstPage, limitMs };
      return pageChecks.run({ task: "checkPages", input }, { ...client, limitMs: limitMs + PAGE_MS });
    },
    async close() {
      await Promise.all([inspections.close(), slowLane.close(), pageChecks.close()]);
    },
  };
}

/**
 * Bounds the worker's JavaScript; the engine bounds its own memory. With 64 MB, files of 300,000 objects that were accepted
 * could not be printed: scanning the written copy, which the trial leaves out, needs more.
 */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** How many workers, for how long, and for whom. */
type PdfPoolPlan = Pick<WorkerPlan, "workers" | "restMs" | "share">;

/** Decompression bombs are stopped here. */
const HEAP_MB = 256;

/** Runs tasks in worker threads, which are replaced once a document has broken or exhausted them. */
export class PdfPool extends WorkerPool<PdfRequest, PdfOutput> {
  /** @param heapMb what a document may take in each of its workers */
  constructor(plan: PdfPoolPlan = {}, { heapMb = HEAP_MB } = {}) {
    super({
      ...plan,
      module: new URL("./inspector.worker.ts", import.meta.url),
      data: async (): Promise<PdfWorkerData> => ({ module: await compiledPdfium(), heapMb }),
      resourceLimits: RESOURCE_LIMITS,
    });
  }

  /** Runs a task. Null when the document takes more than `limitMs` or too much memory. */
  override run<T extends PdfTask>(
    request: PdfRequest<T>,
    options: JobOptions,
  ): Promise<PdfTasks[T]["output"] | null> {
    return super.run(request, options);
  }
}

/** PDFium, compiled once in this process. */
const compiledPdfium = loadOnce(async () => {
  const path = fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm"));
  return WebAssembly.compile(await readFile(path));
});

export type PdfRefusal =
  | "locked"
  | "unsupported-security"
  | "damaged"
  | "too-many-pages"
  | "hidden-layers"
  | "too-complex";

/** `pageSizes` as in SizedPages. */
export type PdfInspection =
  | { ok: true; pages: number; pageSizes: string }
  | { ok: false; reason: PdfRefusal };

/** The tasks of the worker: input and output. */
export interface PdfTasks {
  /**
   * Counts pages and copies them for print on trial. Refuses the file as too complex after `limitMs` of counting, or as much of
   * copying; a single page may take longer.
   */
  inspect: { input: { path: string; limitMs?: number }; output: PdfInspection };
  /** Copies all pages of a locked file into one without a password, until `limitMs` have passed after a portion. */
  unlock: {
    input: { path: string; password: string; target: string; limitMs: number };
    output: PdfInspection;
  };
  /** Checks pages from one on, counted from 1, until `limitMs` have passed; at one page at least. */
  checkPages: { input: { path: string; firstPage: number; limitMs: number }; output: PageFindings };
  /** Adds pages, counted from 0, or the first of them to a print copy. Returns how many it has then; null where that fails. */
  copyPages: { input: { path: string } & PageCopy; output: number | null };
}
type PdfTask = keyof PdfTasks;

/** What a worker is started with. */
export interface PdfWorkerData {
  /** PDFium, compiled once for all workers. */
  module: WebAssembly.Module;
  /** What a document may take of memory; more is refused. */
  heapMb: number;
}

export type PdfRequest<T extends PdfTask = PdfTask> = T extends PdfTask
  ? { task: T; input: PdfTasks[T]["input"] }
  : never;

/** What any of the tasks gives. */
export type PdfOutput = PdfTasks[PdfTask]["output"];
