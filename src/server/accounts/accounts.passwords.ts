import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { staffPasswordFault } from "#shared/schemas/staff-passwords.ts";
import { AppError } from "../errors.ts";
import { isCommonPassword, isCommonStaffPassword } from "./accounts.common-passwords.ts";
import { hashApart, verifyApart } from "./accounts.password-threads.ts";

/** Argon2id is the library's default algorithm; the figures are OWASP's first recommendation. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Of no password. Verified against when there is no account, so that the answer takes as long as for one. */
const NOBODYS_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

const TOO_COMMON = "Too many people use this password, so it is easy to guess. Please choose another";

const TOO_COMMON_FOR_STAFF =
  "This password is easy to guess: many people use it, or one like it with other digits and signs. A few words in a row are good";

type Owner = Partial<Pick<CurrentUser, "fullName" | "email">>;

/** @param network where the request came from, as `accounts.password-threads.ts` has it */
export function hashPassword(password: string, network?: string): Promise<string> {
  return hashApart(password, PARAMETERS, network);
}

/**
 * The hash of a password that a person has chosen. Throws INVALID_INPUT about the field `password` when too many others
 * have chosen it as well.
 */
export async function hashChosenPassword(password: string, network?: string): Promise<string> {
  if (await isCommonPassword(password)) throw refused(TOO_COMMON, "password");
  return hashPassword(password, network);
}

/** The same of someone on the staff, whose password must be long too. @param owner whose names it may not be made of */
export async function hashStaffPassword(password: string, owner: Owner, path = "password"): Promise<string> {
  const fault = await findStaffPasswordFault(password, owner);
  if (fault) throw refused(fault, path);
  return hashPassword(password);
}

/** Why a password is too weak for someone on the staff, in words that they can read; null when it is not. */
export async function findStaffPasswordFault(password: string, owner: Owner): Promise<string | null> {
  const fault = staffPasswordFault(password, owner);
  if (fault) return fault;
  return (await isCommonStaffPassword(password)) ? TOO_COMMON_FOR_STAFF : null;
}

/** By the rule of staff or of students, whichever this person is. */
export function hashPasswordOf(
  user: Pick<CurrentUser, "role" | "fullName" | "email">,
  password: string,
): Promise<string> {
  return user.role === "customer" ? hashChosenPassword(password) : hashStaffPassword(password, user);
}

function refused(message: string, path: string): AppError {
  return new AppError("INVALID_INPUT", message, { issues: [{ path, message }] });
}

/** Whether the password is the hash's. Without a hash, or an empty one, it takes the same time and is false. */
export async function checkPassword(
  passwordHash: string | undefined,
  password: string,
  network?: string,
): Promise<boolean> {
  const matches = await verifyApart(passwordHash || NOBODYS_HASH, password, network);
  return matches && Boolean(passwordHash);
}
