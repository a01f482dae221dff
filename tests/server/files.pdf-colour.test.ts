import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPdfInspector, type PdfInspector } from "#server/files/pdf/inspector.ts";
import { nothingFound } from "#server/files/pdf/page-checks.ts";
import {
  BLANK_PAGES,
  COLOUR_PAGES,
  EDGE_PAGES,
  GREY_PAGES,
  INNER_PAGES,
  MARKED_PAGES,
  pdfOf,
} from "../factories/pdfs.coloured.ts";
import { hugePicturePdf, slowToDrawPdf } from "../factories/pdfs.hostile.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { tempFolder } from "../setup/temporary.ts";

/** Longer than any document here takes. */
const LONG_MS = 20_000;

async function onDisk(bytes: Uint8Array): Promise<string> {
  const path = join(await tempFolder(), "kept");
  await writeFile(path, bytes);
  return path;
}

let pdf: PdfInspector;
beforeAll(() => {
  pdf = createPdfInspector();
});
afterAll(() => pdf.close());

async function isColoured(draw: Parameters<typeof pdfOf>[0][number]): Promise<boolean> {
  const found = await pdf.checkPages(await onDisk(await pdfOf([draw])), 1, LONG_MS);
  expect(found?.lastPage).toBe(1);
  return found?.coloured.length === 1;
}

test.each(Object.entries(GREY_PAGES))("recognises a page of %s as grey", async (_what, draw) => {
  expect(await isColoured(draw)).toBe(false);
});

test.each(Object.entries(COLOUR_PAGES))("recognises a page of %s as colour", async (_what, draw) => {
  expect(await isColoured(draw)).toBe(true);
});

async function foundOn(draw: Parameters<typeof pdfOf>[0][number]) {
  const found = await pdf.checkPages(await onDisk(await pdfOf([draw])), 1, LONG_MS);
  return Object.entries(found ?? {}).flatMap(([kind, pages]) =>
    Array.isArray(pages) && pages.length > 0 ? [kind] : [],
  );
}

test.each(Object.entries(BLANK_PAGES))("calls a page blank that holds %s", async (_what, draw) => {
  expect(await foundOn(draw)).toEqual(["blank"]);
});

test.each(Object.entries(MARKED_PAGES))("does not call a page blank that holds %s", async (_what, draw) => {
  expect(await foundOn(draw)).not.toContain("blank");
});

test.each(Object.entries(EDGE_PAGES))("finds text that printers cut in %s", async (_what, draw) => {
  expect(await foundOn(draw)).toContain("edge");
});

test.each(Object.entries(INNER_PAGES))("finds no text that printers cut in %s", async (_what, draw) => {
  expect(await foundOn(draw)).not.toContain("edge");
});

test("lists the colour pages of a document from a given page, within a given time", async () => {
  const [grey, red] = [GREY_PAGES["black text"], COLOUR_PAGES["one red hairline"]];
  const path = await onDisk(await pdfOf([grey, red, grey, red, red, grey]));
  expect(await pdf.checkPages(path, 1, LONG_MS)).toEqual({ ...nothingFound(6), coloured: [2, 4, 5] });
  expect(await pdf.checkPages(path, 3, LONG_MS)).toEqual({ ...nothingFound(6), coloured: [4, 5] });
  expect(await pdf.checkPages(path, 2, 0)).toEqual({ ...nothingFound(2), coloured: [2] });
});

test("gives up a page that takes too long, and counts other documents meanwhile", async () => {
  const order: string[] = [];
  const counted = await onDisk(plainPdf(3));
  await pdf.inspect(counted);
  const slow = pdf.checkPages(await onDisk(slowToDrawPdf(1, 1)), 1, 0).finally(() => order.push("slow"));
  expect(await pdf.inspect(counted)).toMatchObject({ ok: true, pages: 3 });
  order.push("counted");
  expect(await slow).toBeNull();
  expect(order).toEqual(["counted", "slow"]);
  const path = await onDisk(await pdfOf([COLOUR_PAGES["one red hairline"]]));
  expect(await pdf.checkPages(path, 1, LONG_MS)).toEqual({ ...nothingFound(1), coloured: [1] });
});

test("lets page counting go first", async () => {
  const order: string[] = [];
  const [counted, coloured] = [await onDisk(plainPdf(5000)), await onDisk(plainPdf(1))];
  await Promise.all([
    ...Array.from({ length: 4 }, () => pdf.inspect(counted).then(() => order.push("inspection"))),
    pdf.checkPages(coloured, 1, 0).then(() => order.push("colours")),
  ]);
  expect(order.at(-1)).toBe("colours");
});

test("leaves pauses between page counts to the next upload", async () => {
  const order: string[] = [];
  const path = await onDisk(plainPdf(1));
  await pdf.inspect(path);
  const colours = pdf.checkPages(path, 1, 0).then(() => order.push("colours"));
  for (let count = 0; count < 8; count++) {
    await sleep(50);
    await pdf.inspect(path).then(() => order.push("inspection"));
  }
  await colours;
  expect(order).toEqual([...Array(8).fill("inspection"), "colours"]);
});

test("limits its memory when a picture unpacks to gigabytes", async () => {
  const script = fileURLToPath(new URL("./check-pages-of-one-file.ts", import.meta.url));
  const path = await onDisk(hugePicturePdf(20_000));
  const { stdout } = await promisify(execFile)(process.execPath, [script, path]);
  expect(JSON.parse(stdout).peakMegabytes).toBeLessThan(700);
});
