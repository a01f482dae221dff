import { describe, expect, test } from "vitest";
import { staffPasswordFault } from "#shared/schemas/staff-passwords.ts";

const RAVI = { fullName: "Ravi Kumar", email: "ravi.kumar85@shop.example" };

describe("a staff password", () => {
  test.each([
    ["five letters and digits are left without a name of three letters", "Ram Rao", "ramramram12345"],
    ["five are left without the longer of two names", "Ram Ramesh", "rameshramesh12345"],
  ])("is refused if only %s", (_what, fullName, password) => {
    expect(staffPasswordFault(password, { fullName })).toMatch(/your name/);
  });

  test.each([
    ["six letters and digits are left without the name", "Ram Rao", "ramramram123456"],
    ["the name has words of two letters only", "Li Wu", "liwuliwuliwu1"],
    ["a name appears only where another was taken out", "Ravi Kum", "kraviumkravium"],
    ["it has five different characters", "", "abcdeabcdeabcde"],
    ["it has one letter among signs", "", "a!@#$%^&*()_+"],
  ])("is accepted if %s", (_what, fullName, password) => {
    expect(staffPasswordFault(password, { fullName })).toBeNull();
  });

  test.each([
    ["one character", "q", /at least 12 characters/],
    ["eleven characters", "eleven char", /at least 12 characters/],
    ["eleven characters of two units each", "🔑".repeat(11), /at least 12 characters/],
    ["one character, often", "aaaaaaaaaaaaaa", /easy to guess/],
    ["a few characters, often", "123412341234", /easy to guess/],
    ["their name and the year", "Ravi Kumar 2026", /your name/],
    ["their name backed by digits", "kumar12345ravi", /your name/],
    ["their address", "ravi.kumar85@shop.example", /your email/],
    ["the store's name", "printstore123", /the store's name/],
    ["the store's name, written otherwise", "PRINT-STORE-2026!", /the store's name/],
  ])("is refused if it is %s", (_what, password, message) => {
    expect(staffPasswordFault(password, RAVI)).toMatch(message);
  });

  test.each(["printprint123", "storestore123", "shopshopshop1"])(
    "is refused if it says what the store is: %s",
    (password) => {
      expect(staffPasswordFault(password)).toMatch(/the store's name/);
    },
  );

  test.each([
    ["twelve characters", "blue-kettle1"],
    ["some words", "correct horse battery"],
    ["an Indian script", "नीला घोड़ा और बैटरी"],
    ["signs alone", "!@#$%^&*()_+"],
    ["their name among other words", "ravi rides a blue bicycle"],
  ])("is accepted if it is %s", (_what, password) => {
    expect(staffPasswordFault(password, RAVI)).toBeNull();
  });
});
