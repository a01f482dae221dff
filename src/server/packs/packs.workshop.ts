import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PdfCutter } from "../files/pdf.pieces.ts";
import { WorkerPool } from "../worker-pool.ts";
import type { Drawing, DrawingRequest } from "./packs.ticket.ts";

const DRAW_MS = 20_000;
const REST_MS = 30_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32 };

/** Where packs are made, away from the server's own thread. */
export interface PackWorkshop {
  cutter: PdfCutter;
  /** Draws a page or more; null where it cannot be drawn. Throws what `signal` says when it aborts. */
  draw(request: DrawingRequest, signal: AbortSignal): Promise<Drawing | null>;
  /** Makes a folder for one pack; who asks for it deletes it. */
  openFolder(): Promise<string>;
  close(): Promise<void>;
}

/** Works in `folder`, from which it clears away what a server left there that was killed. */
export async function createPackWorkshop(folder: string, cutter: PdfCutter): Promise<PackWorkshop> {
  const clear = () => rm(folder, { recursive: true, force: true });
  await clear();
  const drawing = new WorkerPool<DrawingRequest, Drawing>({
    module: new URL("./packs.drawing-worker.ts", import.meta.url),
    resourceLimits: RESOURCE_LIMITS,
    restMs: REST_MS,
  });
  return {
    cutter,
    draw: (request, signal) => drawing.run(request, { limitMs: DRAW_MS, signal }),
    async openFolder() {
      const path = join(folder, randomUUID());
      await mkdir(path, { recursive: true });
      return path;
    },
    async close() {
      await Promise.all([cutter.close(), drawing.close()]);
      await clear();
    },
  };
}
