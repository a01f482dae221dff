import { describe, expect, test } from "vitest";
import { staffPasswordFault } from "#shared/schemas/staff-passwords.ts";

const RAVI = { fullName: "Ravi Kumar", email: "ravi.kumar85@shop.example" };

describe("a staff password", () => {
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
