import { WorkerPool } from "../worker-pool.ts";
import type { Receipt } from "./orders.receipt.ts";

const DRAW_MS = 20_000;
const REST_MS = 30_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** Where receipts are drawn, away from the server's own thread. */
export interface ReceiptPress {
  /** The receipt as a PDF; null where it cannot be drawn. */
  draw(receipt: Receipt): Promise<Uint8Array<ArrayBuffer> | null>;
  close(): Promise<void>;
}

export function createReceiptPress(): ReceiptPress {
  const drawing = new WorkerPool<Receipt, Uint8Array<ArrayBuffer>>({
    module: new URL("./orders.receipt-worker.ts", import.meta.url),
    resourceLimits: RESOURCE_LIMITS,
    restMs: REST_MS,
  });
  return {
    draw: (receipt) => drawing.run(receipt, { limitMs: DRAW_MS }),
    close: () => drawing.close(),
  };
}
