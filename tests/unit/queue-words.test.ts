import { expect, test } from "vitest";
import { orderWords, searchTerms } from "#server/queue/queue.words.ts";

const ORDER = {
  number: "K7M4-Q2XD",
  studentName: "Zoë  D'Souza",
  phone: "9876543210",
  email: "zoe.dsouza99@college.example",
};

test("an order is found by its number, phone, name and e-mail, and by what people read out of them", () => {
  expect(orderWords(ORDER).sort()).toEqual(
    [
      ...["k7m4q2xd", "q2xd", "9876543210", "3210"],
      ...["zoë", "dsouza", "zoe", "dsouza99", "zoedsouza99collegeexample"],
    ].sort(),
  );
});

test("an account without a phone adds no empty word", () => {
  expect(orderWords({ ...ORDER, phone: "" })).not.toContain("");
});

test("names in Indian scripts keep their vowel signs", () => {
  expect(orderWords({ ...ORDER, studentName: "प्रिया नायर" })).toEqual(
    expect.arrayContaining(["प्रिया", "नायर"]),
  );
  expect(searchTerms("प्रि")).toEqual(["प्रि"]);
});

test.each([
  ["K7M4-Q2XD", ["k7m4q2xd"]],
  ["  asha   verma ", ["asha", "verma"]],
  ["ASHA asha", ["asha"]],
  ["+91 98765 43210", ["9876543210"]],
  ["098765-43210", ["9876543210"]],
  ["98765", ["98765"]],
  ["12 34", ["12", "34"]],
  ["zoe.dsouza99@col", ["zoedsouza99col"]],
  [" - ", []],
  ["", []],
])("%j is looked for as %j", (typed, terms) => {
  expect(searchTerms(typed)).toEqual(terms);
});
