import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanFileName } from "#server/files/file-kinds.ts";

describe("a file name", () => {
  test.each([
    ["Physics notes.pdf", "Physics notes.pdf"],
    ["C:\\Users\\asha\\notes.pdf", "notes.pdf"],
    ["../../etc/passwd", "passwd.pdf"],
    ["  lab\treport \r\n 3.pdf ", "lab report 3.pdf"],
    ["bill\u0000\u0007.pdf", "bill.pdf"],
    ["cafe\u0301.pdf", "café.pdf"],
    ["भौतिकी 📘.pdf", "भौतिकी 📘.pdf"],
    ["Chapter 1.2", "Chapter 1.2.pdf"],
    ["notes.v2.pdf", "notes.v2.pdf"],
    ["SCAN.PDF", "SCAN.pdf"],
    ["Dr. Rao.pdf", "Dr. Rao.pdf"],
    ["", "document.pdf"],
    [null, "document.pdf"],
    ["..", "document.pdf"],
    [".pdf", "document.pdf"],
    ["notes/", "document.pdf"],
    ["\u0001\u0002", "document.pdf"],
  ])("%j becomes %j", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
  });

  test.each([
    ["thesis.hta", "thesis.pdf"],
    ["thesis.pdf.hta", "thesis.pdf"],
    ["thesis.hta.", "thesis.pdf"],
    ["thesis.hta \u200b.", "thesis.pdf"],
    ["thesis.pdf.lnk.exe", "thesis.pdf.lnk.pdf"],
    ["thesis.h\u200bta", "thesis.pdf"],
    [".htaccess", "htaccess.pdf"],
    ["...notes.pdf", "notes.pdf"],
    ["notes . .pdf", "notes.pdf"],
    ["desktop.ini", "desktop.pdf"],
  ])("gets the extension of its real type: %j becomes %j", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
  });

  test.each([
    ["annual fdp.\u202Eath", "annual fdp.pdf"],
    ["a\u2066b\u2069\u061cc.pdf", "abc.pdf"],
    ["no\u200btes\u2060\ufeff\u00ad.pdf", "notes.pdf"],
    ["\u3164\u115f.pdf", "document.pdf"],
    ["a\u{e0041}b\u2028.pdf", "ab.pdf"],
    ["क्\u200dष.pdf", "क्\u200dष.pdf"],
    ["notes\u200d.pdf", "notes.pdf"],
    ["notes-\u200cक.pdf", "notes-क.pdf"],
    ["ക\u200cഷ.pdf", "ക\u200cഷ.pdf"],
    ["👩\u200d🎓.pdf", "👩\u200d🎓.pdf"],
  ])("loses invisible characters: %j becomes %j", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
  });

  test.each([
    ["CON.pdf", "_CON.pdf"],
    ["nul", "_nul.pdf"],
    ["lpt1.notes.pdf", "_lpt1.notes.pdf"],
    ["COM1.pdf", "_COM1.pdf"],
    ["comb.pdf", "comb.pdf"],
    ["console.pdf", "console.pdf"],
    ["falcon.pdf", "falcon.pdf"],
    ['Unit 3: "waves" <1|2>?*.pdf', "Unit 3- -waves- -1-2---.pdf"],
    ["notes.pdf:evil.hta", "notes.pdf-evil.pdf"],
  ])("is valid on Windows: %j becomes %j", (given, cleaned) => {
    expect(cleanFileName(given)).toBe(cleaned);
  });

  test("is cut to 200 bytes before its extension, between visible characters", () => {
    expect(cleanFileName(`${"📘".repeat(300)}.pdf`)).toBe(`${"📘".repeat(49)}.pdf`);
    expect(cleanFileName(`${"क्षि".repeat(100)}.pdf`)).toBe(`${"क्षि".repeat(16)}.pdf`);
    expect(cleanFileName(`${"a".repeat(196)}.pdf`)).toBe(`${"a".repeat(196)}.pdf`);
    expect(cleanFileName(`${"a".repeat(197)}.pdf`)).toBe(`${"a".repeat(196)}.pdf`);
  });

  test("does not end in a space or a dot where it is cut", () => {
    expect(cleanFileName(`a b${"c".repeat(191)} . ${"d".repeat(50)}.pdf`)).toBe(`a b${"c".repeat(191)}.pdf`);
  });

  test("is read quickly, however many dots and extensions it has", () => {
    // Searching the dots again from each of them, for each extension, would take minutes.
    expect(cleanFileName(`notes${".".repeat(20_000)}x${".pdf".repeat(2000)}`)).toBe("notes.pdf");
  });

  test("is never empty, too long, hidden or a path, whatever was sent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (given) => {
        const cleaned = cleanFileName(given);
        expect(cleaned).toMatch(/^[^\p{Cc}\p{Bidi_C}/\\<>:"|?*.][^\p{Cc}\p{Bidi_C}/\\<>:"|?*]*\.pdf$/u);
        expect(Buffer.byteLength(cleaned)).toBeLessThanOrEqual(200);
        expect(cleaned.isWellFormed()).toBe(true);
        expect(cleanFileName(cleaned)).toBe(cleaned);
      }),
      { numRuns: 500 },
    );
  });
});
