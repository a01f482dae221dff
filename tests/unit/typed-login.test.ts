import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  keepNewAccount,
  keepTypedEmail,
  markVerified,
  takeVerified,
  typedEmail,
} from "#client/features/accounts/typed-login.ts";
import { clearMemory } from "#ui/personal-data.ts";

const ASHA = { email: "asha@college.example", phone: "9876543210", password: "a good password" };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("what was typed at sign-up logs the verified student in, once", () => {
  keepNewAccount(ASHA);
  markVerified(ASHA.phone);
  expect(takeVerified()).toEqual({ email: ASHA.email, password: ASHA.password });
  expect(takeVerified()).toBeNull();
});

test("nobody is logged in before the verification, by that of another number, or by what an earlier sign-up typed", () => {
  keepNewAccount(ASHA);
  expect(takeVerified()).toBeNull();
  keepNewAccount(ASHA);
  markVerified("9876500000");
  expect(takeVerified()).toBeNull();
  keepNewAccount(ASHA);
  keepNewAccount({ ...ASHA, phone: "9876500000" });
  markVerified(ASHA.phone);
  expect(takeVerified()).toBeNull();
});

test("what was typed is forgotten with a logout: the next student finds neither the e-mail nor the account", () => {
  keepTypedEmail(ASHA.email);
  keepNewAccount(ASHA);
  clearMemory();
  expect(typedEmail()).toBe("");
  markVerified(ASHA.phone);
  expect(takeVerified()).toBeNull();
});

test("what was typed is forgotten with the mailed code, after ten minutes", () => {
  keepNewAccount(ASHA);
  vi.advanceTimersByTime(10 * 60 * 1000);
  markVerified(ASHA.phone);
  expect(takeVerified()).toBeNull();
});
