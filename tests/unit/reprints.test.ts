import { expect, test } from "vitest";
import { likelyOriginal } from "#shared/reprints.ts";

const file = (name: string, pages: number) => ({ name, pages });

test("a file that is uploaded again stands for the one of its name, or else for one that no other has the name of", () => {
  const printed = [file("Thesis.pdf", 3), file("Notes.pdf", 3), file("Cover.pdf", 1)];
  const uploaded = [file("Notes.pdf", 3), file("Thesis 2.pdf", 3), file("New cover.pdf", 2)];
  const standsFor = uploaded.map((_, place) => likelyOriginal(printed, uploaded, place)?.name);
  expect(standsFor).toEqual(["Notes.pdf", "Thesis.pdf", "Cover.pdf"]);
});
