import { expect, test } from "vitest";
import { retryDelay } from "#server/mail/mail.worker.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [1, 5 * SECOND],
  [2, 30 * SECOND],
  [3, 2 * MINUTE],
  [4, 10 * MINUTE],
  [5, HOUR],
  [6, HOUR],
  [76, HOUR],
])("the pause after %i failed attempts is %i ms, plus or minus a fifth", (attempts, pause) => {
  expect(retryDelay(attempts, 0.5)).toBe(pause);
  expect(retryDelay(attempts, 0)).toBe(0.8 * pause);
  expect(retryDelay(attempts, 1)).toBe(1.2 * pause);
});

test("a mail is given up after about three days", () => {
  let attempts = 1;
  let waited = 0;
  for (let pause = retryDelay(attempts, 0.5); pause !== null; pause = retryDelay(++attempts, 0.5))
    waited += pause;

  expect(waited / HOUR).toBeGreaterThan(72);
  expect(waited / HOUR).toBeLessThan(73);
});
