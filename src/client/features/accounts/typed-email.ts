import { onPersonalDataCleared } from "#ui/personal-data.ts";

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
