import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PdfInspector } from "#server/files/pdf.inspector.ts";
import { createPdfInspector } from "#server/files/pdf.inspector.ts";

/**
 * A folder of real PDFs that cannot be part of the repository, with a truth.tsv of their names and page counts
 * ("encrypted" and "invalid" for those to be refused). Without one there is nothing to test here.
 */
const folder = process.env.PDF_CORPUS;

describe.runIf(folder)("the corpus of real PDFs", () => {
  let pdf: PdfInspector;
  beforeAll(() => {
    pdf = createPdfInspector();
  });
  afterAll(() => pdf.close());

  test.each(readTruth())("counts %s as %s", async (name, truth) => {
    const inspection = await pdf.inspect(join(folder ?? "", name));
    if (truth === "encrypted") expect(inspection).toEqual({ ok: false, reason: "locked" });
    else if (truth === "invalid") expect(inspection.ok).toBe(false);
    else expect(inspection).toEqual({ ok: true, pages: Number(truth) });
  });
});

function readTruth(): [name: string, truth: string][] {
  if (!folder) return [["no file", "nothing"]];
  const [, ...lines] = readFileSync(join(folder, "truth.tsv"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [name = "", truth = ""] = line.split("\t");
    return [name, truth];
  });
}
