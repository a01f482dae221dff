import { describe, expect, test } from "vitest";
import { hiddenLayerText } from "#server/files/pdf/scrub.ts";

function isHidden(...pieces: string[]): boolean {
  const text = hiddenLayerText();
  for (const piece of pieces) text.see(Buffer.from(piece, "latin1"));
  return text.isFound();
}

describe("a layer is found to be hidden in what PDFium writes", () => {
  test.each([
    "/OFF[12 0 R]",
    "/OFF [ 12 0 R]",
    "/OFF 12 0 R",
    "/BaseState/OFF",
    "/P/AnyOff",
    "/VE[/Not 5 0 R]",
  ])("%s", (written) => expect(isHidden(`<</D<<${written}>>>>`)).toBe(true));

  test.each(["/OFF[]", "/OFF[ [12 0 R]]", "/BaseState/ON", "/P/AllOn"])("not in %s", (written) =>
    expect(isHidden(`<</D<<${written}>>>>`)).toBe(false),
  );

  test("where it begins in one piece and ends in the next", () => {
    expect(isHidden("<</D<</OF", "F[12 0 R]>>>>")).toBe(true);
  });

  test("in one walk, however many spaces follow: from each space these would take minutes", () => {
    expect(isHidden(`/OFF${" ".repeat(1_000_000)}`)).toBe(false);
  });
});
