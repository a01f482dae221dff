import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanFileName } from "#server/files/files.names.ts";

describe("a file's name", () => {
  test.each([
    ["Physics notes.pdf", "Physics notes.pdf"],
    ["C:\\Users\\asha\\notes.pdf", "notes.pdf"],
    ["../../etc/passwd", "passwd"],
    ["  lab\treport \r\n 3.pdf ", "lab report 3.pdf"],
    ["bill\u0000\u0007.pdf", "bill.pdf"],
    ["fdp.\u202Eexe", "fdp.exe"],
    ["cafe\u0301.pdf", "café.pdf"],
    ["भौतिकी 📘.pdf", "भौतिकी 📘.pdf"],
    ["", "document.pdf"],
    [null, "document.pdf"],
    ["..", "document.pdf"],
    ["notes/", "document.pdf"],
    ["\u0001\u0002", "document.pdf"],
  ])("%j becomes %j", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
  });

  test("is cut to 200 characters before its extension", () => {
    const cut = cleanFileName(`${"📘".repeat(300)}.pdf`);
    expect([...cut]).toHaveLength(200);
    expect(cut).toBe(`${"📘".repeat(196)}.pdf`);
  });

  test("is never empty, too long or more than a name, whatever was sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (given) => {
        const cleaned = cleanFileName(given);
        expect(cleaned).toMatch(/^[^\p{Cc}/\\]+$/u);
        expect([...cleaned].length).toBeLessThanOrEqual(200);
        expect(cleaned.isWellFormed()).toBe(true);
        expect(cleanFileName(cleaned)).toBe(cleaned);
      }),
      { numRuns: 2000 },
    );
  });
});
