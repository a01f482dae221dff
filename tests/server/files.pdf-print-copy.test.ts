import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { PdfPool } from "#server/files/pdf/inspector.ts";
import { createPrintCopier } from "#server/files/pdf/print-copies.service.ts";
import { splitIntoPortions } from "#server/files/pdf/print-copy.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import { A4 } from "#shared/sheet-layout.ts";
import { type PdfObjects, pdfStream, writePdf } from "../factories/pdf-writer.ts";
import { ACTIVE_PARTS, activePdf, MARKER } from "../factories/pdfs.active.ts";
import { decompressionBomb } from "../factories/pdfs.hostile.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { CATALOG, lyingPdf, pageTree } from "../factories/pdfs.ts";
import { openFilesIn } from "../factories/stored-files.ts";
import { difference, drawPages, readPages, readPdfParts } from "../setup/pdf-reader.ts";
import { tempFolder } from "../setup/temporary.ts";

const MB = 1024 * 1024;
/** Ends what hangs, as the limit of a test does; a slow machine takes half a minute for what takes six seconds. */
const LIMIT_MS = 200_000;
/** Keys that a viewer or printer could act on; some are also valid font names. */
const FORBIDDEN_KEYS =
  "OpenAction A Annots AcroForm Names Outlines XFA EmbeddedFiles EF AF UF Launch URI OPI Ref Alternates PieceInfo Metadata Thumb".split(
    " ",
  );
const PAGE_KEYS =
  "Type Parent MediaBox CropBox BleedBox TrimBox ArtBox Rotate Resources Contents Group".split(" ");

const pool = new PdfPool();
afterAll(() => pool.close());

/** Pages of which each has a thousand graphics states of its own. */
function crowdedPdf(pages: number): Buffer {
  const objects: PdfObjects = {};
  const kids = Array.from({ length: pages }, (_, at) => 10 + 1001 * at);
  for (const page of kids) {
    const states = Array.from({ length: 1000 }, (_, at) => page + 1 + at);
    const names = states.map((state, at) => `/G${at} ${state} 0 R`).join(" ");
    objects[page] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /ExtGState << ${names} >> >> >>`;
    for (const state of states) objects[state] = "<< /CA 1 >>";
  }
  objects[1] = CATALOG;
  objects[2] = `<< /Type /Pages /Kids [${kids.map((page) => `${page} 0 R`).join(" ")}] /Count ${pages} >>`;
  return writePdf(objects);
}

async function stored(bytes: Uint8Array): Promise<string> {
  const path = join(await tempFolder(), "source.pdf");
  await writeFile(path, bytes);
  return path;
}

/** A print copy of these pages, counted from 0, and its page count. */
async function copyOf(pdf: Uint8Array, pages: number[]) {
  const path = await stored(pdf);
  const target = `${path}.copy`;
  const count = await pool.run({ task: "copyPages", input: { path, pages, target } }, { limitMs: LIMIT_MS });
  return { count, copy: await readFile(target).catch(() => Buffer.alloc(0)) };
}

describe("a print copy of a page with active content", () => {
  test.each(Object.keys(ACTIVE_PARTS))("contains nothing of %s", async (kind) => {
    const original = activePdf(ACTIVE_PARTS[kind] ?? {});
    expect((await readPdfParts(original)).bytes.includes(MARKER)).toBe(true);
    const { count, copy } = await copyOf(original, [0]);
    const parts = await readPdfParts(copy);
    expect(count).toBe(1);
    expect(parts.bytes.includes(MARKER)).toBe(false);
    expect(parts.catalogKeys.sort()).toEqual(["Pages", "Type"]);
    expect(parts.pageKeys.filter((key) => !PAGE_KEYS.includes(key))).toEqual([]);
    expect(FORBIDDEN_KEYS.filter((key) => parts.keys.has(key))).toEqual([]);
    expect([...parts.names].filter((name) => /^S (?!Transparency|Luminosity|Alpha)/.test(name))).toEqual([]);
    expect(await readPages(copy)).toEqual(["Visible text"]);
  });
});

/** A page with annotations: a form, a stamp, a note for screens. */
const FORM_PDF = writePdf({
  1: "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [10 0 R] /NeedAppearances true /DR << /Font << /Helv 5 0 R >> >> >> >>",
  2: pageTree([3]),
  3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /CropBox [50 100 550 700] /Rotate 90 /UserUnit 2 /Resources << >> /Contents 4 0 R /Annots [10 0 R 11 0 R 12 0 R] >>",
  4: pdfStream(Buffer.from("1 0 0 rg 60 110 40 40 re f 0 0 1 rg 0 0 45 90 re f")),
  5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  10: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Asha) /DA (/Helv 18 Tf 0 g) /F 4 /Rect [100 500 300 540] /MK << /BC [0 0 0] >> >>",
  11: "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [100 300 200 400] /AP << /N 13 0 R >> >>",
  12: "<< /Type /Annot /Subtype /Square /F 0 /Rect [300 300 400 400] /AP << /N 13 0 R >> >>",
  13: pdfStream(
    Buffer.from("0 1 0 rg 0 0 100 100 re f"),
    "/Type /XObject /Subtype /Form /BBox [0 0 100 100]",
  ),
});

/** What pages may inherit from the root of their tree, besides a font. */
const INHERITED: Record<string, string> = {
  A4: "/MediaBox [0 0 595 842]",
  "A3 landscape": "/MediaBox [0 0 1190 842]",
  "a box that does not begin at nought": "/MediaBox [-100 -50 495 900]",
  "a crop": "/MediaBox [0 0 1190 842] /CropBox [50 60 645 842]",
  "a crop beyond the paper": "/MediaBox [0 0 595 842] /CropBox [-50 -60 850 1040]",
  "a turn": "/MediaBox [0 0 595 842] /Rotate 90",
};

/** A page with a headline at the top and a link, which inherits its resources and its size. */
function inheritingPdf(inherited: string): Buffer {
  return writePdf({
    1: CATALOG,
    2: pageTree([3], 1, `${inherited} /Resources << /Font << /F 5 0 R >> >>`),
    3: "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [6 0 R 7 0 R] >>",
    4: pdfStream(Buffer.from("BT /F 24 Tf 72 805 Td (Headline) Tj ET 1 0 0 rg 500 780 40 40 re f")),
    5: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    6: "<< /Type /Annot /Subtype /Link /Rect [72 800 200 830] /Border [0 0 0] /A << /S /URI /URI (http://a.example/) >> >>",
    7: "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [100 300 200 400] /AP << /N 8 0 R >> >>",
    8: pdfStream(
      Buffer.from("0 1 0 rg 0 0 100 100 re f"),
      "/Type /XObject /Subtype /Form /BBox [0 0 100 100]",
    ),
  });
}

interface Layered {
  /** The document's configuration of its layer, object 10. */
  off?: string;
  layer?: string;
  /** The content of the layer. */
  content?: string;
  resources?: string;
  annotations?: string;
  objects?: PdfObjects;
}

const SQUARE = "0 0 1 rg 100 100 300 300 re f";
const LAYERED: Record<string, Layered> = {
  "is switched off": {},
  "is not among those that are switched on": { off: "/BaseState /OFF /ON []" },
  "is not for print": {
    off: "/AS [<< /Event /Print /Category [/Print] /OCGs [10 0 R] >>]",
    layer: "/Usage << /Print << /PrintState /OFF >> >>",
  },
  "others must be on for": {
    resources: "/Properties << /Layer 11 0 R >>",
    objects: { 11: "<< /Type /OCMD /OCGs [10 0 R] /P /AllOn >>" },
  },
  "is switched off, under a link, a stamp and a field": {
    annotations: "[11 0 R 12 0 R 13 0 R]",
    objects: {
      11: "<< /Type /Annot /Subtype /Link /Rect [72 800 200 830] /A << /S /URI /URI (http://a.example/) >> >>",
      12: "<< /Type /Annot /Subtype /Stamp /F 4 /Rect [300 400 500 600] /AP << /N 14 0 R >> >>",
      13: "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Asha) /F 4 /Rect [100 500 200 600] /AP << /N 14 0 R >> >>",
      14: pdfStream(
        Buffer.from("0 1 0 rg 0 0 100 100 re f"),
        "/Type /XObject /Subtype /Form /BBox [0 0 100 100]",
      ),
    },
  },
  "holds a drawing": {
    content: "/Drawing Do",
    resources: "/XObject << /Drawing 11 0 R >>",
    objects: {
      11: pdfStream(Buffer.from(SQUARE), "/Type /XObject /Subtype /Form /BBox [0 0 600 600] /OC 10 0 R"),
    },
  },
  "holds a picture": {
    content: "q 300 0 0 300 100 100 cm /Picture Do Q",
    resources: "/XObject << /Picture 11 0 R >>",
    objects: {
      11: pdfStream(
        Buffer.from([0]),
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /OC 10 0 R",
      ),
    },
  },
};

/** Two labelled pages; the first one is rotated and has content on a layer. */
function layeredPdf({
  off = "/OFF [10 0 R]",
  layer = "",
  content = `/OC /Layer BDC ${SQUARE} EMC`,
  resources = "/Properties << /Layer 10 0 R >>",
  annotations = "[]",
  objects = {},
}: Layered): Buffer {
  const page = (contents: number, more: string) =>
    `<< /Type /Page /Parent 2 0 R /Contents ${contents} 0 R /Annots ${contents === 5 ? annotations : "[]"}
      /Resources << /Font << /F 7 0 R >> ${more} >> /Rotate ${contents === 5 ? 90 : 0} >>`;
  const text = (words: string) => `BT /F 24 Tf 72 700 Td (${words}) Tj ET`;
  return writePdf({
    1: `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [10 0 R] /D << ${off} >> >> >>`,
    2: pageTree([3, 4], 2, "/MediaBox [0 0 595 842]"),
    3: page(5, resources),
    4: page(6, ""),
    5: pdfStream(Buffer.from(`${text("First")} ${content}`)),
    6: pdfStream(Buffer.from(text("Second"))),
    7: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    10: `<< /Type /OCG /Name (Draft) ${layer} >>`,
    ...objects,
  });
}

describe("a print copy looks like the printed page", () => {
  test("with form fields and stamps, without screen notes, cropped and rotated as before", async () => {
    const { copy } = await copyOf(FORM_PDF, [0]);
    const [before] = await drawPages(FORM_PDF);
    const [after] = await drawPages(copy);
    if (!before || !after) throw new Error("a page was not drawn");
    expect([after.width, after.height]).toEqual([600, 500]);
    expect(difference(before, after)).toBeLessThan(0.002);
    expect(await readPages(copy)).toEqual(["Asha"]);
    const parts = await readPdfParts(copy);
    expect(parts.keys.has("Annots")).toBe(false);
    expect(parts.pageKeys).toEqual(expect.arrayContaining(["MediaBox", "CropBox", "Rotate"]));
    // Sizes are noted, and pages are fitted, without it.
    expect(parts.pageKeys).not.toContain("UserUnit");
  });

  test.each(Object.keys(INHERITED))("if a page with a link inherits %s", async (what) => {
    const pdf = inheritingPdf(INHERITED[what] ?? "");
    const { copy } = await copyOf(pdf, [0]);
    const [before] = await drawPages(pdf);
    const [after] = await drawPages(copy);
    if (!before || !after) throw new Error("a page was not drawn");
    expect([after.width, after.height]).toEqual([before.width, before.height]);
    expect(difference(before, after)).toBe(0);
    expect(await readPages(copy)).toEqual(["Headline"]);
  });

  test.each(Object.entries(LAYERED))("without a layer that %s", async (_what, part) => {
    const pdf = layeredPdf(part);
    const { count, copy } = await copyOf(pdf, [0, 1]);
    const [before, after] = [await drawPages(pdf), await drawPages(copy)];
    expect([count, after.length]).toEqual([2, 2]);
    for (const [index, page] of before.entries()) {
      const other = after[index];
      if (!other) throw new Error("a page was not drawn");
      expect([other.width, other.height]).toEqual([page.width, page.height]);
      expect(difference(page, other)).toBeLessThan(0.005);
    }
    const parts = await readPdfParts(copy);
    expect(parts.catalogKeys.sort()).toEqual(["Pages", "Type"]);
    expect(parts.pageKeys.filter((key) => !PAGE_KEYS.includes(key))).toEqual([]);
    // Only a page that would look different loses its text.
    expect((await readPages(copy)).map((text) => text.trim())).toEqual(["", "Second"]);
  });

  test("with all text if no layer is switched off", async () => {
    const { copy } = await copyOf(layeredPdf({ off: "" }), [0, 1]);
    expect(await readPages(copy)).toEqual(["First", "Second"]);
  });

  test("fitted to a sheet also where it restores more states than it has saved", async () => {
    const path = await stored(
      writePdf({
        1: CATALOG,
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 960 540] /Contents 4 0 R /Resources << >> >>",
        4: pdfStream(Buffer.from("Q Q 0 0 960 540 re f")),
      }),
    );
    const target = `${path}.copy`;
    const layout = { pagesPerSide: 1, hasFrames: false, isBooklet: false, sheet: A4 } as const;
    await pool.run({ task: "copyPages", input: { path, pages: [0], target, layout } }, { limitMs: LIMIT_MS });
    const [side] = await drawPages(await readFile(target));
    const { width = 0, height = 0, pixels = [] } = side ?? {};
    const shades = [height - 10, height / 2].map(
      (y) => pixels[4 * (Math.round(y) * width + Math.round(width / 2))],
    );
    expect([width, height, shades]).toEqual([842, 595, [255, 0]]);
  });

  test("fitted to a sheet with a gradient that all pages share", async () => {
    const path = await stored(
      writePdf({
        1: CATALOG,
        2: pageTree([3, 4]),
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 5 0 R /Resources 6 0 R >>",
        4: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 5 0 R /Resources 6 0 R >>",
        5: pdfStream(Buffer.from("/Pattern cs /Fade scn 0 0 200 100 re f")),
        6: "<< /Pattern << /Fade << /PatternType 2 /Shading 7 0 R >> >> >>",
        7: "<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 200 0] /Function 8 0 R >>",
        8: "<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [1] /N 1 >>",
      }),
    );
    const target = `${path}.copy`;
    const layout = { pagesPerSide: 1, hasFrames: false, isBooklet: false, sheet: A4 } as const;
    const input = { path, pages: [0, 1], target, layout };
    expect(await pool.run({ task: "copyPages", input }, { limitMs: LIMIT_MS })).toBe(2);
    const shades = (await drawPages(await readFile(target))).map(({ width, height, pixels }) =>
      [0.25, 0.5, 0.75].map(
        (across) => pixels[4 * (Math.round(height / 2) * width + Math.round(width * across))],
      ),
    );
    for (const side of shades) {
      expect(side[0]).toBeCloseTo(64, -1);
      expect(side[1]).toBeCloseTo(128, -1);
      expect(side[2]).toBeCloseTo(191, -1);
    }
    expect(shades).toHaveLength(2);
  });

  test.each(["RC4-40", "RC4-128", "AES-128", "AES-256"] as const)(
    "and can be read by all if its owner has locked it by %s",
    async (algorithm) => {
      const { count, copy } = await copyOf(await encryptedPdf(3, algorithm, { owner: "o" }), [0, 2]);
      expect(count).toBe(2);
      expect(copy.includes("/Encrypt")).toBe(false);
      expect(await drawPages(copy)).toHaveLength(2);
    },
  );
});

describe("a print copy has the counted pages", () => {
  test.each<[string, Uint8Array, number]>([
    ["a tree that says 1 and has 1,000", lyingPdf(1000, 1), 1],
    [
      "one page that stands in the tree three times",
      writePdf({
        1: CATALOG,
        2: pageTree([3, 3, 3]),
        3: "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> >>",
      }),
      3,
    ],
  ])("of %s", async (_what, pdf, pages) => {
    const inspection = await pool.run(
      { task: "inspect", input: { path: await stored(pdf) } },
      { limitMs: LIMIT_MS },
    );
    expect(inspection).toMatchObject({ ok: true, pages });
    const { count, copy } = await copyOf(pdf, [...Array(pages).keys()]);
    expect([count, (await readPages(copy)).length]).toEqual([pages, pages]);
    expect((await readPdfParts(copy)).pageKeys).not.toEqual([]);
  });

  test("in the requested order, after the pages already there", async () => {
    const path = await stored(numberedPdf("Thesis", 9));
    const target = `${path}.copy`;
    const add = (pages: number[]) =>
      pool.run({ task: "copyPages", input: { path, pages, target } }, { limitMs: LIMIT_MS });
    expect([await add([8, 0]), await add([4])]).toEqual([2, 3]);
    expect(await readPages(await readFile(target))).toEqual(["Thesis 9", "Thesis 1", "Thesis 5"]);
  });

  test("or fails for a missing page, and keeps the pages already there", async () => {
    const path = await stored(numberedPdf("Thesis", 2));
    const target = `${path}.copy`;
    const add = (pages: number[]) =>
      pool.run({ task: "copyPages", input: { path, pages, target } }, { limitMs: LIMIT_MS });
    await add([0]);
    const before = await readFile(target);
    expect(await add([1, 2])).toBeNull();
    expect((await readFile(target)).equals(before)).toBe(true);
    expect(await openFilesIn(path), "neither the file nor its copies stay open").toEqual([]);
  });

  test("also where they have as many objects as an upload may: each is looked through once more as it is copied", async () => {
    const { count } = await copyOf(crowdedPdf(300), [...Array(300).keys()]);
    expect(count).toBe(300);
  });

  test("or fails for a document that unpacks to gigabytes", async () => {
    const { count } = await copyOf(await decompressionBomb(), [0]);
    expect(count).toBeNull();
  });
});

test("100 MB of scans are copied in portions, without exhausting the worker", async () => {
  const path = await stored(numberedPdf("Scan", 100, { each: MB }));
  const target = `${path}.copy`;
  for (let first = 0; first < 100; first += 25) {
    const pages = Array.from({ length: 25 }, (_, index) => first + index);
    const input = { path, pages, target };
    expect(await pool.run({ task: "copyPages", input }, { limitMs: LIMIT_MS })).toBe(first + 25);
  }
  expect(await readPages(await readFile(target))).toHaveLength(100);
});

test("pages as large as an upload may have share a side", async () => {
  const folder = await tempFolder();
  const copier = await createPrintCopier(join(folder, "packs"), new DiskSpace(folder, 0), 0);
  onTestFinished(() => copier.close());
  const path = await stored(numberedPdf("Scan", 9, { each: 10 * MB }));
  const target = `${path}.copy`;
  const layout = { pagesPerSide: 9, hasFrames: false, isBooklet: false } as const;
  const pages = Array.from({ length: 9 }, (_, index) => index);
  expect(await copier.add({ path, pages, target, layout }, { account: "shop" })).toBe(1);
});

test("thousands of pages are placed on shared sides in small portions, which fill their sides", async () => {
  const path = await stored(numberedPdf("Slides", 490));
  const target = `${path}.copy`;
  const all = Array.from({ length: 490 }, (_, index) => index);
  const { size: bytes } = await stat(path);
  const portions = splitIntoPortions(all, { total: 490, bytes, unit: 9 });
  expect(portions.map(({ length }) => length)).toEqual([234, 234, 22]);
  let count: number | null = 0;
  for (const pages of portions) {
    const input = {
      path,
      pages,
      target,
      layout: { pagesPerSide: 9, hasFrames: false, isBooklet: false },
    } as const;
    count = await pool.run({ task: "copyPages", input }, { limitMs: LIMIT_MS });
  }
  expect(count).toBe(Math.ceil(490 / 9));
  const sides = await readPages(await readFile(target));
  expect(sides.join(" ").match(/\d+/g)?.map(Number)).toEqual(all.map((index) => index + 1));
});
