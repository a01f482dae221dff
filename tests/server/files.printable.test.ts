import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PDFDocument, PDFName, PDFRawStream } from "pdf-lib";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { createPdfInspector } from "#server/files/pdf/inspector.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import { layeredPagesPdf, nestedFormsPdf, rawPicturePdf, slowToDrawPdf } from "../factories/pdfs.hostile.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { pathOf } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import { MeasuredDiskSpace } from "../setup/measured-disk-space.ts";
import { difference, drawPages } from "../setup/pdf-reader.ts";
import { tempFolder } from "../setup/temporary.ts";
import { testStore } from "../setup/test-store.ts";
import { download, packPath, packsInWork, placeFiles } from "./packs.fixtures.ts";

/** A page that never finishes drawing, and so never finishes copying. */
const ENDLESS = new Uint8Array(
  slowToDrawPdf(1, 1, "/Annots [<< /Type /Annot /Subtype /Link /Rect [9 9 99 99] >>]"),
);

const MB = 1024 * 1024;
const LARGE_MS = 180_000;

/** Gives up a file after a second, where the store's own takes ten. */
const hasty = createPdfInspector(0, 500);

afterAll(() => hasty.close());

// Files that cannot be copied are logged as errors, as expected.
const store = testStore({ LOG_LEVEL: "silent" });

/** Lets the hasty inspector open the files of the current test. */
function hurry() {
  const { inspect } = store.deps.pdf;
  store.deps.pdf.inspect = hasty.inspect;
  onTestFinished(() => {
    store.deps.pdf.inspect = inspect;
  });
}

describe("a file that cannot become a print copy is refused before it is priced", () => {
  test("because its drawings need more memory than allowed", async () => {
    const { visitor } = await signedInStudent(store);
    expect(await visitor.upload(new Uint8Array(nestedFormsPdf()), "Bomb.pdf")).toMatchObject({
      status: 422,
      body: {
        code: "UNREADABLE_FILE",
        message: "“Bomb.pdf” is too complex to be opened here. Print it to a new PDF and upload that",
      },
    });
  });

  test("because a picture needs more memory than allowed", async () => {
    const path = join(await tempFolder(), "upload.part");
    await writeFile(path, rawPicturePdf());
    expect(await store.deps.pdf.inspect(path)).toEqual({ ok: false, reason: "too-complex" });
  });

  test("because it takes too long, without delaying others much", async () => {
    hurry();
    const [slow, other] = [await signedInStudent(store), await signedInStudent(store)];
    const answers: string[] = [];
    const first = slow.visitor.upload(ENDLESS).then(({ status }) => answers.push(`slow ${status}`));
    await expect.poll(() => readdir(join(store.dataDir, "files", "incoming"))).toHaveLength(1);
    const { status } = await other.visitor.upload(new Uint8Array(plainPdf(3)));
    answers.push(`other ${status}`);
    await first;
    expect(answers).toEqual(["other 200", "slow 422"]);
  });
});

/** The widths of all pictures in a PDF, in pixels. */
async function pictureWidths(bytes: Uint8Array): Promise<number[]> {
  const { context } = await PDFDocument.load(bytes);
  return context.enumerateIndirectObjects().flatMap(([, object]) => {
    const dict = object instanceof PDFRawStream ? object.dict : null;
    const isPicture = dict?.lookup(PDFName.of("Subtype")) === PDFName.of("Image");
    return isPicture ? Number(dict?.lookup(PDFName.of("Width"))) : [];
  });
}

describe("a file with hidden layers, whose pages are printed as pictures", () => {
  test("is accepted and printed with 14 pages, each as it looks, in limited memory", {
    timeout: LARGE_MS,
  }, async () => {
    const [shopId] = await shopIds(store);
    const { visitor } = await signedInOwner(store, [shopId]);
    const pdf = layeredPagesPdf(14);
    const order = await placeFiles(store, shopId, [{ name: "Layers.pdf", bytes: pdf }]);
    const { status, bytes } = await download(visitor, `${packPath(order)}?sizes=own`);
    expect(status).toBe(200);
    expect(bytes.length).toBeLessThan(2 * MB);
    const [before, [, ...after]] = [await drawPages(pdf), await drawPages(bytes)];
    expect(after).toHaveLength(14);
    for (const [index, page] of before.entries()) {
      const printed = after[index];
      if (!printed) throw new Error("a page was not drawn");
      expect(difference(page, printed)).toBeLessThan(0.005);
    }
    const source = (await PDFDocument.load(pdf)).getPage(0).getWidth();
    const sharp = (250 / 72) * source;
    expect(await pictureWidths(bytes)).toEqual(Array(14).fill(expect.toSatisfy((width) => width > sharp)));
  });

  test.each(["/OFF [10 0 R]", "/BaseState /OFF"])(
    "is refused with a clear message above 100 pages if its layer is %s",
    async (config) => {
      const { visitor } = await signedInStudent(store);
      expect(
        await visitor.upload(new Uint8Array(layeredPagesPdf(101, { config })), "Layers.pdf"),
      ).toMatchObject({
        status: 422,
        body: {
          code: "UNREADABLE_FILE",
          message:
            "“Layers.pdf” has hidden layers and more than 100 pages. Print it to a new PDF, or split it, and upload that",
        },
      });
    },
  );

  test("is accepted with 100 pages", async () => {
    const path = join(await tempFolder(), "upload.part");
    await writeFile(path, layeredPagesPdf(100));
    expect(await store.deps.pdf.inspect(path)).toMatchObject({ ok: true, pages: 100 });
  });

  test("is accepted with any number of pages if all its layers are visible", async () => {
    const { visitor } = await signedInStudent(store);
    const pdf = layeredPagesPdf(400, { config: "/OFF []" });
    expect(await visitor.upload(new Uint8Array(pdf), "Layers.pdf")).toMatchObject({
      status: 200,
      body: { pages: 400 },
    });
  });

  test("is refused if a page cannot be drawn", async () => {
    hurry();
    const { visitor } = await signedInStudent(store);
    const pdf = layeredPagesPdf(2, { content: "/Pattern cs /Dust scn 0 0 298 420 re f" });
    expect((await visitor.upload(new Uint8Array(pdf), "Layers.pdf")).status).toBe(422);
  });
});

test("a pack is made only if the disk has space for it, and leaves nothing there otherwise", async () => {
  const [shopId] = await shopIds(store);
  const { visitor } = await signedInOwner(store, [shopId]);
  const order = await placeFiles(store, shopId, [{ name: "Thesis.pdf", bytes: numberedPdf("Thesis", 1) }]);
  const { space } = store.deps.printCopies;
  store.deps.printCopies.space = new DiskSpace(store.dataDir, Number.MAX_SAFE_INTEGER);
  expect(await visitor.get(packPath(order))).toMatchObject({
    status: 503,
    body: "The store has no room for more files at the moment. Please try again later",
  });
  expect(await packsInWork(store)).toEqual([]);
  store.deps.printCopies.space = space;
  expect((await download(visitor, packPath(order))).status).toBe(200);
});

test("what uploads and packs have reserved of the disk is free once they are done", async () => {
  const { diskSpace, printCopies } = store.deps;
  const { space } = printCopies;
  const [ofUploads, ofCopies] = [
    new MeasuredDiskSpace(store.dataDir, 0),
    new MeasuredDiskSpace(store.dataDir, 0),
  ];
  store.deps.diskSpace = ofUploads;
  printCopies.space = ofCopies;
  onTestFinished(() => {
    store.deps.diskSpace = diskSpace;
    printCopies.space = space;
  });
  const [shopId] = await shopIds(store);
  const { visitor } = await signedInOwner(store, [shopId]);
  const files = [{ name: "Thesis.pdf", bytes: numberedPdf("Thesis", 4) }];
  const layout = { pagesPerSide: 4, hasFrames: false, isBooklet: false } as const;
  for (const order of [
    await placeFiles(store, shopId, files),
    await placeFiles(store, shopId, files, { layout }),
  ])
    expect((await download(visitor, packPath(order))).status).toBe(200);
  const locked = new Uint8Array(await encryptedPdf(1, "AES-256", { user: "roll-0042" }));
  const student = (await signedInStudent(store)).visitor;
  const { status } = await student.upload(locked, "marks.pdf", { password: "roll-0042" });

  expect([status, ofUploads.most > 0, ofCopies.most > 0]).toEqual([200, true, true]);
  expect([ofUploads.reserved, ofCopies.reserved]).toEqual([0, 0]);
});

test("a file that delays one shop's pack does not delay another's", async () => {
  const [shopId] = await shopIds(store);
  const [owner, admin] = [await signedInOwner(store, [shopId]), await signedInAdmin(store)];
  const slow = await placeFiles(store, shopId, [{ name: "Slow.pdf", bytes: plainPdf(1) }]);
  const quick = await placeFiles(store, shopId, [{ name: "Quick.pdf", bytes: numberedPdf("Quick", 1) }]);
  // A file from before trial copies existed.
  await writeFile(pathOf(store, slow.fileIds[0] ?? ""), ENDLESS);
  const leaving = new AbortController();
  const answers: string[] = [];
  const held = owner.visitor
    .fetch(packPath(slow), { signal: leaving.signal })
    .then(({ status }) => answers.push(`slow ${status}`))
    .catch(() => {});
  await expect.poll(async () => (await packsInWork(store)).length).toBe(1);
  expect((await download(admin.visitor, packPath(quick))).status).toBe(200);
  expect(answers).toEqual([]);
  leaving.abort();
  await held;
});
