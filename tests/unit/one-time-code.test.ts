import { expect, test } from "vitest";
import { readCode } from "#client/features/accounts/one-time-code.tsx";

test.each([
  "123456",
  "123 456",
  "123-456",
  " 123456\n",
  "Your code is 123 456",
  "Your Print Store code: 123456. It works for 10 minutes.",
  "१२३ ४५६",
])("a pasted %j is read as the code 123456", (text) => {
  expect(readCode(text)).toBe("123456");
});

test.each(["", "12345", "1234567", "98765 43210", "not even digits", "123456 or 654321"])(
  "%j is left as it was typed",
  (text) => {
    expect(readCode(text)).toBe(text);
  },
);
