import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  createPdfInspector,
  type PdfInspection,
  type PdfInspector,
  type PdfRefusal,
} from "#server/files/pdf/inspector.ts";
import { decompressionBomb, deepPdf, slowPdf } from "../factories/pdfs.hostile.ts";
import { encryptedPdf, pdfOfUnknownHandler } from "../factories/pdfs.locked.ts";
import {
  croppedAwayPdf,
  linearizedPdf,
  loopingPdf,
  lyingPdf,
  pagesWithoutType,
  pdfOfPages,
  plainPdf,
  resavedPdf,
  samePage,
  withPadding,
  withPrefix,
  withWrongStartxref,
} from "../factories/pdfs.ts";
import { openFilesIn } from "../factories/stored-files.ts";
import { tempFolder } from "../setup/temporary.ts";

type Make = () => Uint8Array | Promise<Uint8Array>;

const COUNTED: [what: string, pages: number, make: Make][] = [
  ["a single page", 1, () => plainPdf(1)],
  ["ten pages", 10, () => plainPdf(10)],
  ["as many pages as are accepted", 5000, () => plainPdf(5000)],
  ["object streams", 12, () => pdfOfPages(12)],
  ["a linearized file", 7, () => linearizedPdf(7)],
  ["a saved change that removes pages", 3, () => resavedPdf(5, 3)],
  ["a saved change that adds pages", 8, () => resavedPdf(3, 8)],
  ["lines that end with CR only", 4, () => plainPdf(4, { eol: "\r" })],
  ["a wrong startxref", 4, () => withWrongStartxref(plainPdf(4))],
  ["a shifted cross-reference table", 4, () => plainPdf(4, { xrefShift: 7 })],
  ["500 bytes before its beginning", 4, () => withPrefix(plainPdf(4), 500)],
  ["2 MB of NULs after its end", 4, () => withPadding(plainPdf(4), 2 * 1024 * 1024)],
  ["no /Count", 4, () => lyingPdf(4, null)],
  ["pages without /Type", 4, () => pagesWithoutType(4)],
  ["the same page three times", 3, () => samePage(3)],
  ["a /Count lower than its pages, which every viewer believes", 1, () => lyingPdf(1000, 1)],
  ["a password for its owner only, AES-256", 2, () => encryptedPdf(2, "AES-256", { owner: "o" })],
  ["a password for its owner only, RC4", 2, () => encryptedPdf(2, "RC4-128", { owner: "o" })],
];

const REFUSED: [what: string, reason: PdfRefusal, make: Make][] = [
  ["40-bit RC4 with a password", "locked", () => encryptedPdf(2, "RC4-40", { user: "u" })],
  ["128-bit RC4 with a password", "locked", () => encryptedPdf(2, "RC4-128", { user: "u" })],
  ["AES-128 with a password", "locked", () => encryptedPdf(2, "AES-128", { user: "u" })],
  ["AES-256 with a password", "locked", () => encryptedPdf(2, "AES-256", { user: "u", owner: "o" })],
  ["a protection nobody knows", "unsupported-security", pdfOfUnknownHandler],
  ["nothing in it", "damaged", () => Buffer.alloc(0)],
  ["text in it", "damaged", () => Buffer.from("Dear Sir, please find attached")],
  ["a header only", "damaged", () => Buffer.from("%PDF-1.7\n")],
  ["half of it missing", "damaged", () => plainPdf(300).subarray(0, 200)],
  ["no pages", "damaged", () => lyingPdf(0, 0)],
  ["a tree that loops", "damaged", loopingPdf],
  ["a /Count of 1000 and one page", "damaged", () => lyingPdf(1, 1000)],
  ["a page of which nothing is in sight", "damaged", croppedAwayPdf],
  ["5,001 pages", "too-many-pages", () => plainPdf(5001)],
  ["a tree 10,000 nodes deep", "damaged", () => deepPdf(10_000)],
];

let pdf: PdfInspector;
beforeAll(() => {
  pdf = createPdfInspector();
});
afterAll(() => pdf.close());

async function inspect(bytes: Uint8Array): Promise<PdfInspection> {
  const path = join(await tempFolder(), "upload.part");
  await writeFile(path, bytes);
  return pdf.inspect(path);
}

describe("a PDF with", () => {
  test.each(COUNTED)("%s has %i pages", async (_what, pages, make) => {
    expect(await inspect(await make())).toMatchObject({ ok: true, pages });
  });

  test.each(REFUSED)("%s is refused as %s, and the next one is counted", async (_what, reason, make) => {
    expect(await inspect(await make())).toEqual({ ok: false, reason });
    expect(await inspect(plainPdf(2))).toMatchObject({ ok: true, pages: 2 });
  });
});

describe("the page counter", () => {
  test("counts many documents at once, each with its own result", async () => {
    const counts = Array.from({ length: 40 }, (_, index) => index + 1);
    const inspections = await Promise.all(counts.map((pages) => inspect(plainPdf(pages))));
    expect(inspections).toMatchObject(counts.map((pages) => ({ ok: true, pages })));
  });

  test("counts documents queued behind ones that crash its worker, are too deeply nested or are missing", async () => {
    const missing = pdf.inspect("/nowhere/upload.part").catch(() => "missing");
    const inspections = [
      inspect(await decompressionBomb()),
      inspect(plainPdf(2)),
      inspect(deepPdf(10_000)),
      inspect(plainPdf(3)),
      missing,
      inspect(plainPdf(4)),
    ];
    expect(await Promise.all(inspections)).toMatchObject([
      { ok: false, reason: "too-complex" },
      { ok: true, pages: 2 },
      { ok: false, reason: "damaged" },
      { ok: true, pages: 3 },
      "missing",
      { ok: true, pages: 4 },
    ]);
  });

  test("counts documents that arrive while it starts, and starts once", async () => {
    const path = join(await tempFolder(), "upload.part");
    await writeFile(path, plainPdf(3));
    const fresh = createPdfInspector();
    onTestFinished(() => fresh.close());
    fresh.prepare();
    fresh.prepare();
    const counts = [fresh.inspect(path), fresh.inspect(path)];
    fresh.prepare();
    expect(await Promise.all(counts)).toMatchObject(Array(2).fill({ ok: true, pages: 3 }));
  });

  test("fails on a missing file, and goes on", async () => {
    await expect(pdf.inspect("/nowhere/upload.part")).rejects.toThrow("ENOENT");
    expect(await inspect(plainPdf(2))).toMatchObject({ ok: true, pages: 2 });
  });

  test("gives up a document after its time, and counts the next one", async () => {
    const hasty = createPdfInspector(1, 500);
    onTestFinished(() => hasty.close());
    const path = join(await tempFolder(), "upload.part");
    // Each page unpacks 120 MB.
    await writeFile(path, slowPdf(100));
    expect(await hasty.inspect(path)).toEqual({ ok: false, reason: "too-complex" });
    await writeFile(path, plainPdf(2));
    expect(await hasty.inspect(path)).toMatchObject({ ok: true, pages: 2 });
  });

  test.runIf(process.platform === "linux")("leaves no file open", async () => {
    const path = join(await tempFolder(), "upload.part");
    for (const bytes of [
      plainPdf(2),
      Buffer.alloc(0),
      loopingPdf(),
      pdfOfUnknownHandler(),
      decompressionBomb(),
    ]) {
      await writeFile(path, bytes);
      await pdf.inspect(path);
      expect(await openFilesIn(path)).toEqual([]);
    }
  });

  test("stays far below the memory that a decompression bomb asks for", async () => {
    const { inspection, peakMegabytes } = await inspectInOwnProcess(decompressionBomb());
    expect(inspection).toEqual({ ok: false, reason: "too-complex" });
    expect(peakMegabytes).toBeLessThan(700);
  });

  test("does not keep the process alive", async () => {
    expect((await inspectInOwnProcess(plainPdf(2))).inspection).toMatchObject({ ok: true, pages: 2 });
  });

  test.each([
    ["at once", 0],
    ["while its worker starts", 60],
    ["in the middle of a document", 1500],
  ])("rejects queued documents when it is closed %s", async (_when, ms) => {
    const closing = createPdfInspector();
    const path = join(await tempFolder(), "upload.part");
    await writeFile(path, slowPdf(100));
    const waiting = Promise.allSettled([closing.inspect(path), closing.inspect(path)]);
    await wait(ms);
    await closing.close();
    for (const outcome of await waiting) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "UNAVAILABLE" } });
    }
    await expect(closing.inspect(path)).rejects.toThrow("restarting");
  });
});

async function inspectInOwnProcess(
  bytes: Uint8Array,
): Promise<{ inspection: PdfInspection; peakMegabytes: number }> {
  const path = join(await tempFolder(), "upload.part");
  await writeFile(path, bytes);
  const script = fileURLToPath(new URL("./inspect-one-file.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, path]);
  return JSON.parse(stdout);
}
