import { expect, test, vi } from "vitest";
import { asciiDigits } from "#shared/digits.ts";

test("the digits of every script are read", () => {
  const scripts = [..."٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰０𝟎𝟘𝟢𝟬𝟶"];
  for (const zero of scripts) {
    const first = zero.codePointAt(0) ?? 0;
    const digits = Array.from({ length: 10 }, (_, value) => String.fromCodePoint(first + value)).join("");
    expect(asciiDigits(digits), zero).toBe("0123456789");
  }
  expect(asciiDigits("+91 ९८765, ७-")).toBe("+91 98765, 7-");
});

test("a digit's value is looked for once, however often it comes: any guest may send thousands", () => {
  const looked = vi.spyOn(String, "fromCodePoint");
  expect(asciiDigits("𝟿𝟷".repeat(1000))).toBe("91".repeat(1000));
  expect(looked.mock.calls.length).toBeLessThan(100);
  looked.mockRestore();
});
