import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPdfInspector, type PdfInspector } from "#server/files/pdf.inspector.ts";
import { COLOUR_PAGES, GREY_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { hugePicturePdf, slowToDrawPdf } from "../factories/pdfs.hostile.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempFolder } from "../setup/temp-database.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

/** Longer than any document here takes. */
const LONG_MS = 20_000;

async function onDisk(bytes: Uint8Array): Promise<string> {
  const path = join(await tempFolder(), "kept");
  await writeFile(path, bytes);
  return path;
}

describe("the inspector", () => {
  let pdf: PdfInspector;
  beforeAll(() => {
    pdf = createPdfInspector();
  });
  afterAll(() => pdf.close());

  async function isColoured(draw: Parameters<typeof pdfOf>[0][number]): Promise<boolean> {
    const found = await pdf.findColours(await onDisk(await pdfOf([draw])), 1, LONG_MS);
    expect(found?.lastPage).toBe(1);
    return found?.coloured.length === 1;
  }

  test.each(Object.entries(GREY_PAGES))("takes a page of %s for grey", async (_what, draw) => {
    expect(await isColoured(draw)).toBe(false);
  });

  test.each(Object.entries(COLOUR_PAGES))("takes a page of %s for coloured", async (_what, draw) => {
    expect(await isColoured(draw)).toBe(true);
  });

  test("tells which pages of a document hold colour, from any page on and for as long as it may", async () => {
    const [grey, red] = [GREY_PAGES["black text"], COLOUR_PAGES["one red hairline"]];
    const path = await onDisk(await pdfOf([grey, red, grey, red, red, grey]));
    expect(await pdf.findColours(path, 1, LONG_MS)).toEqual({ coloured: [2, 4, 5], lastPage: 6 });
    expect(await pdf.findColours(path, 3, LONG_MS)).toEqual({ coloured: [4, 5], lastPage: 6 });
    expect(await pdf.findColours(path, 2, 0)).toEqual({ coloured: [2], lastPage: 2 });
  });

  test("gives a page up that takes too long to draw, and counts other documents meanwhile", async () => {
    const slow = pdf.findColours(await onDisk(slowToDrawPdf(1, 1)), 1, 0);
    const start = performance.now();
    expect(await pdf.inspect(await onDisk(plainPdf(3)))).toEqual({ ok: true, pages: 3 });
    expect(performance.now() - start).toBeLessThan(1900);
    expect(await slow).toBeNull();
    const path = await onDisk(await pdfOf([COLOUR_PAGES["one red hairline"]]));
    expect(await pdf.findColours(path, 1, LONG_MS)).toEqual({ coloured: [1], lastPage: 1 });
  });

  test("lets inspections go first", async () => {
    const order: string[] = [];
    const [counted, coloured] = [await onDisk(plainPdf(5000)), await onDisk(plainPdf(1))];
    await Promise.all([
      ...Array.from({ length: 4 }, () => pdf.inspect(counted).then(() => order.push("inspection"))),
      pdf.findColours(coloured, 1, 0).then(() => order.push("colours")),
    ]);
    expect(order.at(-1)).toBe("colours");
  });

  test("leaves the gaps between inspections that follow one another to whoever sends the next file", async () => {
    const order: string[] = [];
    const path = await onDisk(plainPdf(1));
    await pdf.inspect(path);
    const colours = pdf.findColours(path, 1, 0).then(() => order.push("colours"));
    for (let count = 0; count < 8; count++) {
      await sleep(50);
      await pdf.inspect(path).then(() => order.push("inspection"));
    }
    await colours;
    expect(order).toEqual([...Array(8).fill("inspection"), "colours"]);
  });

  test("keeps its memory within bounds when a picture unpacks to gigabytes", async () => {
    const script = fileURLToPath(new URL("./find-colours-of-one-file.ts", import.meta.url));
    const path = await onDisk(hugePicturePdf(20_000));
    const { stdout } = await promisify(execFile)(process.execPath, [script, path], { timeout: 30_000 });
    expect(JSON.parse(stdout).peakMegabytes).toBeLessThan(700);
  });
});

describe("an upload", () => {
  let store: TestStore;
  let visitor: ApiClient;
  beforeAll(async () => {
    store = await startTestStore();
    visitor = (await signedInStudent(store)).visitor;
  });
  afterAll(() => store.stop());

  async function upload(bytes: Uint8Array<ArrayBuffer> | Buffer): Promise<string> {
    const { status, body } = await visitor.upload(new Uint8Array(bytes));
    expect(status).toBe(200);
    return body.public_id;
  }

  async function coloursOf(ids: string[], by = visitor) {
    return (await by.query("files.colours", { ids })).body.result.data;
  }

  /** What is known of the file once it was looked at. */
  async function settled(id: string) {
    await expect
      .poll(async () => (await coloursOf([id]))[0].checkedPages, { timeout: 30_000 })
      .not.toBeNull();
    return (await coloursOf([id]))[0];
  }

  test("is looked at for colour once it was answered", async () => {
    const [grey, red] = [GREY_PAGES["black text"], COLOUR_PAGES["one red hairline"]];
    const id = await upload(await pdfOf([red, red, grey, red]));
    expect(await settled(id)).toEqual({ id, colourPages: "1-2, 4", checkedPages: 4 });
  });

  test("without colour is said to have none, protected against copying or not", async () => {
    const plain = await upload(plainPdf(30));
    const secured = await upload(Buffer.from(await encryptedPdf(2, "AES-256", { owner: "o" })));
    expect(await settled(plain)).toEqual({ id: plain, colourPages: "", checkedPages: 30 });
    expect(await settled(secured)).toEqual({ id: secured, colourPages: "", checkedPages: 2 });
  });

  test("is looked at up to a page that cannot be drawn, and the next one too", async () => {
    const [slow, quick] = [await upload(slowToDrawPdf(6, 4)), await upload(plainPdf(1))];
    expect(await settled(slow)).toEqual({ id: slow, colourPages: "1-3", checkedPages: 3 });
    expect(await settled(quick)).toEqual({ id: quick, colourPages: "", checkedPages: 1 });
  });

  test("is told about to its owner only", async () => {
    const id = await upload(plainPdf(1));
    const other = (await signedInStudent(store)).visitor;
    expect(await coloursOf([id], other)).toEqual([]);
    expect((await store.visitor().query("files.colours", { ids: [id] })).status).toBe(401);
  });
});

test("what was not looked at when the store stopped is looked at when it starts again", async () => {
  const env = { DATA_DIR: await tempFolder() };
  const before = await startTestStore(env);
  const { visitor } = await signedInStudent(before);
  const { body } = await visitor.upload(new Uint8Array(slowToDrawPdf(3, 2)));
  await before.stop();
  const after = await startTestStore(env);
  const colours = () =>
    after.deps.readDb
      .selectFrom("files")
      .select(["colour_pages", "colour_checked_pages"])
      .where("id", "=", body.public_id)
      .executeTakeFirst();
  expect(await colours()).toEqual({ colour_pages: null, colour_checked_pages: null });
  await expect.poll(colours, { timeout: 30_000 }).toEqual({ colour_pages: "1", colour_checked_pages: 1 });
  await after.stop();
});
