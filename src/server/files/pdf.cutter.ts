import { join } from "node:path";
import { FIRST_OBJECT, type PdfCutter } from "./pdf.pieces.ts";
import { PdfPool } from "./pdf.pool.ts";

const CUT_MS = 15_000;
const REST_MS = 30_000;

/** Cuts with a worker of its own, so that uploads never wait for it. */
export function createPdfCutter(): PdfCutter {
  const pool = new PdfPool({ restMs: REST_MS });
  return {
    begin(folder, signal) {
      let firstObject = FIRST_OBJECT;
      let cuts = 0;
      return {
        async cut(source, pages) {
          const input = { source, pages, firstObject, target: join(folder, `${cuts++}.piece`) };
          const piece = await pool.run({ task: "cut", input }, { limitMs: CUT_MS, signal });
          firstObject += piece?.offsets.length ?? 0;
          return piece;
        },
      };
    },
    close: () => pool.close(),
  };
}
