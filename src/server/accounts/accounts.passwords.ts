import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import pLimit from "p-limit";
import { AppError } from "../errors.ts";
import { isCommonPassword } from "./accounts.common-passwords.ts";

/** Argon2id is the library's default algorithm; the figures are OWASP's first recommendation. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** More hashes at once than cores only make every one of them, and all other work, slower. */
const inTurn = pLimit(availableParallelism());

/** Verified against when there is no account, so that the answer takes as long as for one. */
const nobodysHash = hash("a password that opens no account", PARAMETERS);

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, PARAMETERS));
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

/** Whether the password is the hash's. Without a hash it takes the same time and is false. */
export function checkPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  return inTurn(async () => {
    const matches = await verify(passwordHash ?? (await nobodysHash), password);
    return matches && passwordHash !== undefined;
  });
}
