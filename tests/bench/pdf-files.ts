import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { linearizedPdf } from "../factories/pdfs.linearized.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { pdfOfPages, plainPdf, resavedPdf, withPrefix, withWrongStartxref } from "../factories/pdfs.ts";

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
export async function writeMixedPdfs(folder: string): Promise<string[]> {
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
