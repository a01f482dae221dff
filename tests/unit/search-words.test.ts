import { expect, test } from "vitest";
import { orderText, searchTerms, studentWords } from "#server/orders/board/search-words.ts";

const NUMBER = "K7M4-Q2XD";
const STUDENT = {
  fullName: "Zoë  D'Souza",
  phone: "9876543210",
  email: "zoe.dsouza99@college.example",
};

test("a student is indexed by phone, name, e-mail and the parts people read aloud", () => {
  expect(studentWords(STUDENT)).toEqual([
    ...["9876543210", "3210", "zoedsouza99collegeexample"],
    ...["zoë", "dsouza99"],
  ]);
});

test("an order is indexed by its number, the half that people read aloud, and its student", () => {
  expect(orderText({ number: NUMBER }, STUDENT)).toBe(
    " k7m4q2xd q2xd 9876543210 3210 zoedsouza99collegeexample zoë dsouza99",
  );
});

test("an account without a phone adds no empty word", () => {
  expect(studentWords({ ...STUDENT, phone: "" })).not.toContain("");
  expect(orderText({ number: NUMBER }, { fullName: "", phone: "", email: "" })).toBe(" k7m4q2xd q2xd");
});

test("the longest possible name fits into an index of every database", () => {
  const text = orderText({ number: NUMBER }, { ...STUDENT, fullName: "\u{fdfa}".repeat(200) });
  expect(Buffer.byteLength(text)).toBeLessThan(2500);
});

test("names in Indian scripts keep their vowel signs", () => {
  expect(studentWords({ ...STUDENT, fullName: "प्रिया नायर" })).toEqual(
    expect.arrayContaining(["प्रिया", "नायर"]),
  );
  expect(searchTerms("प्रि")).toEqual(["प्रि"]);
});

test("a name with digits of an Indian keyboard is found by those and by 0 to 9", () => {
  expect(studentWords({ ...STUDENT, fullName: "राजू २४" })).toContain("24");
  expect(searchTerms("२४")).toEqual(searchTerms("24"));
});

test("a search uses the first eight words, and the first 254 letters of each", () => {
  expect(searchTerms("a b c d e f g h i j")).toEqual(["a", "b", "c", "d", "e", "f", "g", "h"]);
  expect(searchTerms("x".repeat(300))).toEqual(["x".repeat(254)]);
});

test.each([
  ["K7M4-Q2XD", ["k7m4q2xd"]],
  ["  asha   verma ", ["asha", "verma"]],
  ["ASHA asha", ["asha"]],
  ["+91 98765 43210", ["9876543210"]],
  ["098765-43210", ["9876543210"]],
  ["४३२१", ["4321"]],
  ["98765", ["98765"]],
  ["987654321", ["987654321"]],
  ["98 765 4321", ["98", "765", "4321"]],
  ["12 34", ["12", "34"]],
  ["+९१ ९८७६५ ४३२१०", ["9876543210"]],
  ["৯৮৭৬৫", ["98765"]],
  ["K௭M௪-Q௨XD", ["k7m4q2xd"]],
  ["zoe.dsouza99@col", ["zoedsouza99col"]],
  [" - ", []],
  ["", []],
])("typing %j searches for %j", (typed, terms) => {
  expect(searchTerms(typed)).toEqual(terms);
});
