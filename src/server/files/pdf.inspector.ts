import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../errors.ts";
import { type Client, type Share, scaledShare } from "../fair-limit.ts";
import { PdfPool } from "./pdf.pool.ts";
import type { PdfColours, PdfInspection } from "./pdf.protocol.ts";

/** Opens PDFs away from the server's own thread, with a limit on time and memory. */
export interface PdfInspector {
  /** Gets ready for a file that is on its way. Throws RATE_LIMITED where its account may have no more files opened. */
  prepare(client?: Client): void;
  /** Counts the pages of the file at `path` exactly, or says why it can't be printed. Never throws for bad content. */
  inspect(path: string, client?: Client): Promise<PdfInspection>;
  /** SHA-256 of the file at `path`, in hex. */
  digest(path: string, client?: Client): Promise<string>;
  /**
   * Looks for colour in the pages of the file at `path` from `firstPage` on, until `limitMs` have passed; at one page at
   * least. Waits for a pause in which nothing is to be inspected. Gives null where a page takes too much time or memory.
   */
  findColours(path: string, firstPage: number, limitMs: number): Promise<PdfColours | null>;
  close(): Promise<void>;
}

const INSPECT_MS = 5000;
/** For as much as a file may hold, on a machine that has much else to do. */
const DIGEST_MS = 30_000;
/** How long a single page may take to be looked at. */
const PAGE_MS = 2000;
/** The second works where somebody else's file takes long. */
const INSPECTORS = 2;
/**
 * A file of 5,000 pages takes 0.1 s, so that an hour's uploads of an account fit in. Its files are opened one after another,
 * since a browser sends two at a time.
 */
const SHARE: Share = { things: "files", atOnce: 1, waiting: 20, hourlyMs: 2 * 60 * 1000 };
/** Long enough for who uploads one file after another. */
const INSPECTIONS_REST_MS = 10_000;
/** So soon after an inspection the next file may follow, and colours wait; but not for longer than this in all. */
const PAUSE_MS = 200;
const MAX_WAIT_MS = 5000;
/** Nobody waits for colours as they do for an upload, so their worker holds its memory only while it is busy. */
const COLOURS_REST_MS = 2000;

/**
 * Colours have a worker of their own, so that they never stand before somebody who waits.
 * @param scale multiplies what an account may have wait and take in an hour; 0 sets no bounds to that
 */
export function createPdfInspector(scale = 1): PdfInspector {
  const inspections = new PdfPool({
    workers: INSPECTORS,
    restMs: INSPECTIONS_REST_MS,
    share: scaledShare(SHARE, scale),
  });
  const colours = new PdfPool({ restMs: COLOURS_REST_MS }, { isUrgent: false });
  let inspectedAt = Number.NEGATIVE_INFINITY;

  /** Until nothing is inspected, nor was a moment ago; but not for ever. */
  async function untilPause(): Promise<void> {
    const deadline = performance.now() + MAX_WAIT_MS;
    const timeLeft = () => Math.min(inspectedAt + PAUSE_MS, deadline) - performance.now();
    await inspections.untilIdle();
    for (let wait = timeLeft(); wait > 0; wait = timeLeft()) {
      await sleep(wait);
      await inspections.untilIdle();
    }
  }

  return {
    prepare: (client) => inspections.prepare(client?.account),
    async inspect(path, client) {
      const options = { ...client, limitMs: INSPECT_MS };
      const inspection = await inspections.run({ task: "inspect", input: { path } }, options);
      inspectedAt = performance.now();
      return inspection ?? { ok: false, reason: "too-complex" };
    },
    async digest(path, client) {
      const options = { ...client, limitMs: DIGEST_MS };
      const digest = await inspections.run({ task: "digest", input: { path } }, options);
      if (digest === null)
        throw new AppError(
          "UNAVAILABLE",
          "The file cannot be taken in just now. Please try again in a minute",
        );
      return digest;
    },
    async findColours(path, firstPage, limitMs) {
      await untilPause();
      const input = { path, firstPage, limitMs };
      return colours.run({ task: "findColours", input }, { limitMs: limitMs + PAGE_MS });
    },
    async close() {
      await Promise.all([inspections.close(), colours.close()]);
    },
  };
}
