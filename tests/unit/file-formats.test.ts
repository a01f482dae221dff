import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PHOTO_TYPES } from "#client/features/files/use-formats.ts";
import { isDocument, isOfficeFile, isPrintable, OFFICE_FORMATS, PHOTOS } from "#shared/file-formats.ts";

const file = (name: string, type = "") => ({ name, type });

test("other apps can share all office formats and photos with the store, as with the file dialog", () => {
  const manifest = JSON.parse(readFileSync("src/client/public/manifest.webmanifest", "utf8"));
  const { accept } = manifest.share_target.params.files[0];
  expect(accept).toEqual(expect.arrayContaining(OFFICE_FORMATS.map((extension) => `.${extension}`)));
  expect(accept.filter((type: string) => type.startsWith("image/"))).toEqual(PHOTOS.types);
  expect(PHOTO_TYPES.split(",")).toEqual(expect.arrayContaining(["image/webp", ".webp"]));
});

test.each([
  ["Unit 3.docx", true, true],
  ["MARKS.XLSX", true, true],
  ["Notes.pdf", false, true],
  ["Notes.docx.pdf", false, true],
  ["Board.jpg", false, false],
  ["Notes.pdf.zip", false, false],
  ["docx", false, false],
  ["Song.mp3", false, false],
])("%s is converted: %s, and is listed as a document: %s", (name, isConverted, isListed) => {
  expect([isOfficeFile(file(name)), isDocument(file(name))]).toEqual([isConverted, isListed]);
});

test("pictures and documents can be printed, by their media type or else by their name", () => {
  const shared = [
    file("a", "application/pdf"),
    file("b.docx"),
    file("c", "image/png"),
    file("d.HEIC"),
    file("e.mp3"),
    file("f.jpg", "text/html"),
    file("g.jpeg"),
    file("h.png.zip"),
    file("i", "image/jpeg2000"),
    file("j", "not-image/png"),
    file("k.jpg"),
  ];
  expect(shared.filter(isPrintable).map(({ name }) => name)).toEqual([
    ...["a", "b.docx", "c", "d.HEIC", "g.jpeg", "k.jpg"],
  ]);
});
