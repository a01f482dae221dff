import { MINUTE_MS } from "#shared/durations.ts";
import { type Client, type Share, scaledShare } from "../lib/fair-limit.ts";
import { WorkerPool } from "../lib/worker-pool.ts";
import type { Receipt } from "./receipt.ts";
import type { Separator, Ticket } from "./ticket.ts";

/** Allows for a busy machine: fifty names in all scripts of India take half a second. */
const DRAW_MS = 10_000;
const REST_MS = 30_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };
const SHARE: Share = { things: "documents", atOnce: 1, waiting: 10, hourlyMs: 5 * MINUTE_MS };
/** A shop that prints comes before a student who downloads a receipt. */
const PRIORITIES = { shop: 0, student: 1 };

/** `blank`: a page with nothing but this order number at its foot. */
export type SheetContent =
  | { receipt: Receipt }
  | { ticket: Ticket }
  | { separator: Separator }
  | { blank: string };

export interface Drawing {
  /** A PDF. */
  bytes: Uint8Array<ArrayBuffer>;
  pages: number;
}

/** Draws receipts and tickets in worker threads. */
export interface SheetRenderer {
  /** Null if it could not be drawn. Throws RATE_LIMITED, and BAD_REQUEST once the client has disconnected. */
  draw(content: SheetContent, client: Client): Promise<Drawing | null>;
  close(): Promise<void>;
}

/** @param scale multiplies the limits of an account; 0 turns them off */
export function createSheetRenderer(scale: number, limitMs = DRAW_MS): SheetRenderer {
  const pool = new WorkerPool<SheetContent, Drawing>({
    module: new URL("./sheets.worker.ts", import.meta.url),
    resourceLimits: RESOURCE_LIMITS,
    restMs: REST_MS,
    share: scaledShare(SHARE, scale),
  });
  return {
    draw(content, client) {
      const priority = "receipt" in content ? PRIORITIES.student : PRIORITIES.shop;
      return pool.run(content, { ...client, priority, limitMs });
    },
    close: () => pool.close(),
  };
}
