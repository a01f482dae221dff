import { rm } from "node:fs/promises";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entryName } from "#server/packs/packs.originals.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { type StaffPerson, shopIds, signedInOwner } from "../factories/staff.ts";
import { pathOf } from "../factories/stored-files.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { download, type FileToPrint, placeFiles, zipPath } from "./packs.fixtures.ts";

let store: TestStore;
let shopId: string;
let owner: StaffPerson;
beforeAll(async () => {
  // Files that cannot be read are logged as errors, rightly.
  store = await startTestStore({ LOG_LEVEL: "silent" });
  [shopId] = await shopIds(store);
  owner = await signedInOwner(store, [shopId]);
});
afterAll(() => store.stop());

const FILES: FileToPrint[] = [
  { name: "Thesis.pdf", bytes: numberedPdf("Thesis", 3, { each: 100_000 }) },
  { name: "प्रयोगशाला ₹ 5.pdf", bytes: numberedPdf("Lab", 2), pages: "1" },
  { name: "Thesis.pdf", bytes: numberedPdf("Other thesis", 1) },
];

test("the originals come in one archive as they were uploaded, in order, under names of their own", async () => {
  const order = await placeFiles(store, shopId, FILES);
  const { headers, bytes } = await download(owner.visitor, zipPath(order));
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": `attachment; filename=${order.number}.zip`,
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  });
  const entries = Object.entries(unzipSync(bytes));
  expect(entries.map(([name]) => name)).toEqual(["01 Thesis.pdf", "02 प्रयोगशाला ₹ 5.pdf", "03 Thesis.pdf"]);
  for (const [index, [, content]] of entries.entries()) {
    expect(Buffer.compare(content, FILES[index]?.bytes ?? Buffer.alloc(0))).toBe(0);
  }
});

test("where the store has lost one, the archive holds the others and says so", async () => {
  const order = await placeFiles(store, shopId, FILES);
  await rm(pathOf(store, order.fileIds[0] ?? ""));
  const { bytes } = await download(owner.visitor, zipPath(order));
  const [lost, second, third] = Object.entries(unzipSync(bytes));
  expect(lost?.[0]).toBe("01 Thesis.pdf is missing.txt");
  expect(strFromU8(lost?.[1] ?? new Uint8Array())).toContain("could not be read");
  expect([second?.[0], third?.[0]]).toEqual(["02 प्रयोगशाला ₹ 5.pdf", "03 Thesis.pdf"]);
});

test.each([
  ["Thesis.pdf", 0, "01 Thesis.pdf"],
  ["notes", 8, "09 notes.pdf"],
  ["Unit 1: what? <final>|*.PDF", 49, "50 Unit 1_ what_ _final___.PDF"],
  ["..pdf", 0, "01 ..pdf"],
  ["CON", 0, "01 CON.pdf"],
])("%o is called so that every file system can have it", (name, index, expected) => {
  expect(entryName(name, index)).toBe(expected);
});
