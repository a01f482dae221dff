import { expect, test } from "vitest";
import { foldText } from "#shared/fold-text.ts";

test.each([
  ["case", "Deccan SHEETS", "deccan sheets"],
  ["case beyond ASCII", "ÄRZTE Ünal", "ärzte ünal"],
  ["needless spaces", "  Ravi \n Kumar\t", "ravi kumar"],
  ["letters of full width", "Ａ４ ｐａｐｅｒ", "a4 paper"],
  ["ways to write an accent", "Re\u0301sume\u0301", "résumé"],
])("folding evens out %s", (_what, text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test("Indian scripts stay as they are", () => {
  expect(foldText("रवि कुमार")).toBe("रवि कुमार");
  expect(foldText("தமிழ்")).toBe("தமிழ்");
});
