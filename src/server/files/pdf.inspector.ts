import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../errors.ts";
import { PdfPool } from "./pdf.pool.ts";
import type { PdfColours, PdfInspection } from "./pdf.protocol.ts";

/** Opens PDFs away from the server's own thread, with a limit on time and memory. */
export interface PdfInspector {
  /** Gets ready for a file that is on its way. */
  prepare(): void;
  /** Counts the pages of the file at `path` exactly, or says why it can't be printed. Never throws for bad content. */
  inspect(path: string): Promise<PdfInspection>;
  /** SHA-256 of the file at `path`, in hex. */
  digest(path: string): Promise<string>;
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
/** Long enough for who uploads one file after another. */
const INSPECTIONS_REST_MS = 10_000;
/** So soon after an inspection the next file may follow, and colours wait; but not for longer than this in all. */
const PAUSE_MS = 200;
const MAX_WAIT_MS = 5000;
/** Nobody waits for colours as they do for an upload, so their worker holds its memory only while it is busy. */
const COLOURS_REST_MS = 2000;

/** Colours have a worker of their own, so that no document can hold up the uploads of others. */
export function createPdfInspector(): PdfInspector {
  const inspections = new PdfPool({ restMs: INSPECTIONS_REST_MS });
  const colours = new PdfPool({ restMs: COLOURS_REST_MS });
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
    prepare: () => inspections.prepare(),
    async inspect(path) {
      const inspection = await inspections.run({ task: "inspect", input: { path } }, INSPECT_MS);
      inspectedAt = performance.now();
      return inspection ?? { ok: false, reason: "too-complex" };
    },
    async digest(path) {
      const digest = await inspections.run({ task: "digest", input: { path } }, DIGEST_MS);
      if (digest === null)
        throw new AppError(
          "UNAVAILABLE",
          "The file cannot be taken in just now. Please try again in a minute",
        );
      return digest;
    },
    async findColours(path, firstPage, limitMs) {
      await untilPause();
      return colours.run({ task: "findColours", input: { path, firstPage, limitMs } }, limitMs + PAGE_MS);
    },
    async close() {
      await Promise.all([inspections.close(), colours.close()]);
    },
  };
}
