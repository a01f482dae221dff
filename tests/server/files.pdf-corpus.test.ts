import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPdfInspector, type PdfInspector, PdfPool } from "#server/files/pdf/inspector.ts";
import { difference, drawPages, readPdfParts } from "../setup/pdf-reader.ts";
import { tempFolder } from "../setup/temporary.ts";

/**
 * A folder of real PDFs that cannot be in the repository, with a truth.tsv of names and page counts ("encrypted" and
 * "invalid" for those to refuse). Without it there is nothing to test.
 */
const folder = process.env.PDF_CORPUS;

/** Edges of letters differ by a fraction of a pixel when another program draws them. */
const MOST_DIFFERENT = 0.01;
const ACTIVE_KEYS = [
  "OpenAction",
  "Annots",
  "AcroForm",
  "Names",
  "Outlines",
  "EF",
  "AF",
  "PieceInfo",
  "Metadata",
];

describe.runIf(folder)("the corpus of real PDFs", () => {
  let pdf: PdfInspector;
  beforeAll(() => {
    pdf = createPdfInspector();
  });
  const pool = new PdfPool();
  afterAll(() => Promise.all([pdf.close(), pool.close()]));

  test.each(readTruth())("counts %s as %s", async (name, truth) => {
    const inspection = await pdf.inspect(join(folder ?? "", name));
    if (truth === "encrypted") expect(inspection).toEqual({ ok: false, reason: "locked" });
    else if (truth === "invalid") expect(inspection.ok).toBe(false);
    else expect(inspection).toMatchObject({ ok: true, pages: Number(truth) });
  });

  test.each(readTruth().filter(([, truth]) => Number(truth) > 0))(
    "makes a print copy of %s that looks the same and has no active content",
    async (name, truth) => {
      const path = join(folder ?? "", name);
      const target = join(await tempFolder(), "copy.pdf");
      const pages = [...Array(Number(truth)).keys()];
      const input = { path, pages, target };
      expect(await pool.run({ task: "copyPages", input }, { limitMs: 20_000 })).toBe(pages.length);
      const copy = await readFile(target);
      const parts = await readPdfParts(copy);
      expect(parts.catalogKeys.sort()).toEqual(["Pages", "Type"]);
      expect(ACTIVE_KEYS.filter((key) => parts.pageKeys.includes(key) || parts.keys.has(key))).toEqual([]);
      const before = await drawPages(await readFile(path));
      const after = await drawPages(copy);
      expect(after).toHaveLength(before.length);
      const differences = before.map((page, index) => {
        const other = after[index];
        return other ? difference(page, other) : 1;
      });
      expect(Math.max(...differences)).toBeLessThan(MOST_DIFFERENT);
    },
  );
});

function readTruth(): [name: string, truth: string][] {
  if (!folder) return [["no file", "nothing"]];
  const [, ...lines] = readFileSync(join(folder, "truth.tsv"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [name = "", truth = ""] = line.split("\t");
    return [name, truth];
  });
}
