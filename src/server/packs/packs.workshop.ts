import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PdfCutter } from "../files/pdf.pieces.ts";

/** Where packs are made, away from the server's own thread. */
export interface PackWorkshop {
  cutter: PdfCutter;
  /** Makes a folder for one pack; who asks for it deletes it. */
  openFolder(): Promise<string>;
  close(): Promise<void>;
}

/** Works in `folder`, from which it clears away what a server left there that was killed. */
export async function createPackWorkshop(folder: string, cutter: PdfCutter): Promise<PackWorkshop> {
  const clear = () => rm(folder, { recursive: true, force: true });
  await clear();
  return {
    cutter,
    async openFolder() {
      const path = join(folder, randomUUID());
      await mkdir(path, { recursive: true });
      return path;
    },
    async close() {
      await cutter.close();
      await clear();
    },
  };
}
