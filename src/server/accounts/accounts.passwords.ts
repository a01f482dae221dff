import { AppError } from "../errors.ts";
import { isCommonPassword } from "./accounts.common-passwords.ts";
import { hashApart, verifyApart } from "./accounts.password-threads.ts";

/** Argon2id is the library's default algorithm; the figures are OWASP's first recommendation. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Of no password. Verified against when there is no account, so that the answer takes as long as for one. */
const NOBODYS_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

export function hashPassword(password: string): Promise<string> {
  return hashApart(password, PARAMETERS);
}

/**
 * The hash of a password that a person has chosen. Throws INVALID_INPUT about the field `path` when too many others
 * have chosen it as well.
 */
export async function hashChosenPassword(password: string, path = "password"): Promise<string> {
  if (await isCommonPassword(password)) {
    const message = "Too many people use this password, so it is easy to guess. Please choose another";
    throw new AppError("INVALID_INPUT", message, { issues: [{ path, message }] });
  }
  return hashPassword(password);
}

/** Whether the password is the hash's. Without a hash, or an empty one, it takes the same time and is false. */
export async function checkPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verifyApart(passwordHash || NOBODYS_HASH, password);
  return matches && Boolean(passwordHash);
}
