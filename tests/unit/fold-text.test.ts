import { describe, expect, test } from "vitest";
import { foldText, isReadableName, nameKey } from "#shared/fold-text.ts";

test.each([
  ["case", "Deccan SHEETS", "deccan sheets"],
  ["case beyond ASCII", "ÄRZTE Ünal", "ärzte ünal"],
  ["needless spaces", "  Ravi \n Kumar\t", "ravi kumar"],
  ["letters of full width", "Ａ４ ｐａｐｅｒ", "a4 paper"],
  ["ways to write an accent", "Re\u0301sume\u0301", "résumé"],
])("foldText ignores %s", (_what, text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test("foldText keeps Indian scripts as they are", () => {
  expect(foldText("रवि कुमार")).toBe("रवि कुमार");
  expect(foldText("தமிழ்")).toBe("தமிழ்");
});

describe("a shop's name", () => {
  test.each([
    ["in other letters' case", "RIDGE ROAD copies"],
    ["with other spaces", "  Ridge\u00a0Road   Copies "],
    ["without spaces", "RidgeRoadCopies"],
    ["with punctuation", "Ridge-Road: Copies!"],
    ["with stars around it", "★ Ridge Road Copies ★"],
    ["with full-width letters", "Ｒｉｄｇｅ Road Copies"],
    ["with mathematical letters", "𝐑𝐢𝐝𝐠𝐞 Road Copies"],
    ["with accents", "Rïdgé Rôad Cópiés"],
    ["with a soft hyphen", "Ridge Ro\u00adad Copies"],
    ["with a zero-width space", "Ridge\u200b Road Copies"],
    ["with a joiner", "Rid\u200dge Road Copies"],
    ["with an l for the i", "Rldge Road Copies"],
    ["with a 1 for the i", "R1dge Road Copies"],
    ["with a capital I for the i", "RIdge Road Copies"],
    ["with zeros", "Ridge R0ad C0pies"],
  ])("%s counts as the same name", (_, name) => {
    expect(nameKey(name)).toBe(nameKey("Ridge Road Copies"));
  });

  test.each([
    ["Modern Prints", "Modem Prints"],
    ["Wave Copies", "Vvave Copies"],
    ["Ink & Paper", "Ink and Paper"],
  ])("%j counts as the same name as %j", (name, same) => {
    expect(nameKey(name)).toBe(nameKey(same));
  });

  test.each([
    ["Ridge Road Copies", "Ridge Road Copies 2"],
    ["Ridge Road Copies", "Bridge Road Copies"],
    ["राज प्रिंट्स", "रज प्रिंट्स"],
    ["ரிட்ஜ்", "ரட்ஜ"],
  ])("%j counts as another name than %j", (name, other) => {
    expect(nameKey(name)).not.toBe(nameKey(other));
  });

  test.each([
    ["Cyrillic letters", "Ridge Rоad Cоpies"],
    ["Cyrillic letters alone", "Сорау"],
    ["Greek letters", "Ridge Rοad Copies"],
    ["Armenian letters", "Ridge Rօad Copies"],
    ["Cherokee letters", "ᎡᎥᎠge Road"],
    ["Latin letters that look like others", "Ridɡe Roɑd Copies"],
    ["Latin letters that lack a dot", "Rıdge Road Copies"],
    ["small capitals", "ʀɪᴅɢᴇ Road Copies"],
    ["two scripts in one word", "Ridge Rഠad Copies"],
    ["a direction turned round", "Ridge \u202edaoR\u202c Copies"],
    ["a zero-width space", "Ridge\u200b Road Copies"],
    ["a control character", "Ridge\u0007 Road Copies"],
    ["nothing but signs", "★★★"],
    ["nothing that is seen", "\u200d\u200c"],
  ])("with %s is refused", (_, name) => {
    expect(isReadableName(name)).toBe(false);
  });

  test.each([
    "Ridge Road Copies",
    "Zoë's Café & Prints (24×7), No. 9",
    "राज प्रिंट्स",
    "Raj राज Prints",
    "ரிட்ஜ் ரோடு 24",
    "മലയാളം അച്ചടി\u200d",
    "ছাপাখানা",
    "ਛਾਪਾਖਾਨਾ",
    "چھاپہ خانہ",
    "ಮುದ್ರಣ ಮಳಿಗೆ",
    "ముద్రణ",
    "છાપખાનું",
  ])("%j is accepted", (name) => {
    expect(isReadableName(name)).toBe(true);
  });
});
