import { MINUTE_MS } from "#shared/durations.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";

/**
 * What was typed at sign-up, or at a login before the verification, so that the verified student is logged in without
 * typing it again. It stays in memory only, as long as the mailed code is valid, and is used once.
 */
interface NewAccount {
  email: string;
  phone: string;
  password: string;
}

/** The mailed code's lifetime. */
const KEPT_MS = 10 * MINUTE_MS;

let account: NewAccount | null = null;
let verified: NewAccount | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

onPersonalDataCleared(forgetNewAccount);

export function keepNewAccount(signup: NewAccount): void {
  forgetNewAccount();
  account = signup;
  timer = setTimeout(forgetNewAccount, KEPT_MS);
}

function forgetNewAccount(): void {
  clearTimeout(timer);
  account = null;
  verified = null;
}

/** Allows the login with what was typed, if it was typed for this phone number. */
export function markVerified(phone: string): void {
  verified = account?.phone === phone ? account : null;
  account = null;
}

/** The credentials of an account that was verified just now; null the second time. */
export function takeVerified(): Pick<NewAccount, "email" | "password"> | null {
  const taken = verified;
  forgetNewAccount();
  return taken && { email: taken.email, password: taken.password };
}

let typed = "";
onPersonalDataCleared(() => keepTypedEmail(""));

/** For the recovery of a password. In memory only: the state of the browser's history outlives a logout. */
export function keepTypedEmail(email: string): void {
  typed = email;
}

/** The e-mail that was typed at the login, or "". */
export function typedEmail(): string {
  return typed;
}
