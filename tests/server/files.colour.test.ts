import { beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "#server/errors.ts";
import { startPageChecks } from "#server/files/files.jobs.ts";
import { nothingFound } from "#server/files/pdf/page-checks.ts";
import { BLANK_PAGES, COLOUR_PAGES, EDGE_PAGES, GREY_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { slowToDrawPdf } from "../factories/pdfs.hostile.ts";
import { encryptedPdf } from "../factories/pdfs.locked.ts";
import { plainPdf } from "../factories/pdfs.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { isOnDisk } from "../factories/stored-files.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, tempStore, testStore } from "../setup/test-store.ts";

describe("an upload", () => {
  const store = testStore();
  let visitor: ApiClient;
  beforeAll(async () => {
    visitor = (await signedInStudent(store)).visitor;
  });

  async function upload(bytes: Uint8Array<ArrayBuffer> | Buffer): Promise<string> {
    const { status, body } = await visitor.upload(new Uint8Array(bytes));
    expect(status).toBe(200);
    return body.public_id;
  }

  async function coloursOf(ids: string[], by = visitor) {
    return (await by.query("files.colours", { ids })).body.result.data;
  }

  /** The file's row once its colours are checked. */
  async function settled(id: string) {
    await expect.poll(async () => (await coloursOf([id]))[0].checkedPages).toEqual(expect.any(Number));
    return (await coloursOf([id]))[0];
  }

  /** What is known of a file without blank pages or others that may come out wrong. */
  function known(colourPages: string, checkedPages: number) {
    return {
      isOrdered: false,
      colourPages,
      checkedPages,
      pageSizes: expect.any(String),
      blankPages: "",
      edgePages: "",
    };
  }

  test("is checked for blank pages and text at the edge in the same visit", async () => {
    const pages = [GREY_PAGES["black text"], BLANK_PAGES.nothing, EDGE_PAGES["a page number at the foot"]];
    const id = await upload(await pdfOf(pages));
    expect(await settled(id)).toEqual({ id, ...known("", 3), blankPages: "2", edgePages: "3" });
  });

  test("is checked for colour after it was answered", async () => {
    const [grey, red] = [GREY_PAGES["black text"], COLOUR_PAGES["one red hairline"]];
    const id = await upload(await pdfOf([red, red, grey, red]));
    expect(await settled(id)).toEqual({ id, ...known("1-2, 4", 4) });
  });

  test("without colour is reported as such, copy-protected or not", async () => {
    const plain = await upload(plainPdf(30));
    const secured = await upload(Buffer.from(await encryptedPdf(2, "AES-256", { owner: "o" })));
    expect(await settled(plain)).toEqual({ id: plain, ...known("", 30), blankPages: "1-30" });
    expect(await settled(secured)).toMatchObject({ id: secured, colourPages: "", checkedPages: 2 });
  });

  test("is checked up to a page that cannot be drawn, and so is the next upload", async () => {
    const [slow, quick] = [await upload(slowToDrawPdf(6, 4)), await upload(plainPdf(1))];
    expect(await settled(slow)).toEqual({ id: slow, ...known("1-3", 3) });
    expect(await settled(quick)).toEqual({ id: quick, ...known("", 1), blankPages: "1" });
  });

  test("is known as ordered after it was printed and deleted, so that nobody uploads and pays for it again", async () => {
    const order = await placeOrder(store, (await shopIds(store))[0]);
    const isOrdered = async () => (await coloursOf([order.fileId], order.visitor))[0].isOrdered;
    expect(await isOrdered()).toBe(true);
    await moveTo((await signedInAdmin(store)).visitor, order.id, "dispatched");
    await expect.poll(() => isOnDisk(store, order.fileId)).toBe(false);
    expect(await isOrdered()).toBe(true);
  });

  test("is checked in twenty slices at most, after which its other pages stay unknown", async () => {
    const id = await upload(plainPdf(30));
    await settled(id);
    const { deps } = store;
    await deps.db.updateTable("files").set({ colour_checked_pages: null }).where("id", "=", id).execute();
    const checkPages = async (_path: string, page: number) => nothingFound(page);
    await startPageChecks({ ...deps, pdf: { ...deps.pdf, checkPages } }).stop();
    expect(await settled(id)).toMatchObject({ checkedPages: 20 });
  });

  test("reports its colours only to its owner", async () => {
    const id = await upload(plainPdf(1));
    const other = (await signedInStudent(store)).visitor;
    expect(await coloursOf([id], other)).toEqual([]);
    expect((await store.visitor().query("files.colours", { ids: [id] })).status).toBe(401);
  });
});

test("the newest file is checked first, no other while the file store does not answer, and every other one where one is gone or cannot be read", async () => {
  const store = await tempStore();
  const { visitor } = await signedInStudent(store);
  await visitor.upload(new Uint8Array(plainPdf(1)));
  store.clock.advance({ ms: 1 });
  const { public_id: newest } = (await visitor.upload(new Uint8Array(plainPdf(2)))).body;
  const unchecked = { colour_checked_pages: null };
  const { deps } = store;
  const checked = () =>
    deps.readDb.selectFrom("files").select("id").where("colour_checked_pages", "is not", null);
  await expect.poll(async () => (await checked().execute()).length).toBe(2);
  await deps.db.updateTable("files").set(unchecked).execute();
  const asked: string[] = [];
  const withLocalFile = async (key: string) => {
    asked.push(key);
    throw new AppError("UNAVAILABLE", "Our file storage does not answer at the moment");
  };
  await startPageChecks({ ...deps, files: { ...deps.files, withLocalFile } }).stop();
  expect(asked).toEqual([newest]);
  expect(await checked().execute()).toEqual([]);
  const goneFirst: typeof deps.files.withLocalFile = async (key, use) => {
    if (asked.push(key) === 2) throw new AppError("NOT_FOUND", "This file no longer exists");
    return deps.files.withLocalFile(key, use);
  };
  await startPageChecks({ ...deps, files: { ...deps.files, withLocalFile: goneFirst } }).stop();
  expect([asked.length, (await checked().execute()).length]).toEqual([3, 1]);

  await deps.db.updateTable("files").set(unchecked).execute();
  asked.length = 0;
  const brokenFirst: typeof deps.files.withLocalFile = async (key, use) => {
    if (asked.push(key) === 1) throw new Error("the disk is broken");
    return deps.files.withLocalFile(key, use);
  };
  const log = { ...deps.log, warn: vi.fn() } as unknown as typeof deps.log;
  await startPageChecks({ ...deps, log, files: { ...deps.files, withLocalFile: brokenFirst } }).stop();
  const pages = await checked().select("colour_checked_pages as pages").orderBy("created_at").execute();
  expect([asked.length, pages.map((file) => file.pages)]).toEqual([2, [1, 0]]);
  expect(log.warn).toHaveBeenCalledWith(
    expect.objectContaining({ fileId: newest }),
    "the pages of a file were not checked",
  );
});

test("uploads left unchecked when the store stopped are checked at the next start", async () => {
  const env = { DATA_DIR: await tempFolder() };
  const before = await startTestStore(env);
  const { visitor } = await signedInStudent(before);
  const { body } = await visitor.upload(new Uint8Array(slowToDrawPdf(3, 2)));
  await before.stop();
  const after = await tempStore(env);
  const colours = () =>
    after.deps.readDb
      .selectFrom("files")
      .select(["colour_pages", "colour_checked_pages"])
      .where("id", "=", body.public_id)
      .executeTakeFirst();
  expect(await colours()).toEqual({ colour_pages: null, colour_checked_pages: null });
  await expect.poll(colours).toEqual({ colour_pages: "1", colour_checked_pages: 1 });
});
