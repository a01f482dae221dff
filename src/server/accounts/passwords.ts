import { availableParallelism } from "node:os";
import type { Options } from "@node-rs/argon2";
import { loadOnce } from "#shared/load-once.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { staffPasswordFault } from "#shared/schemas/staff-passwords.ts";
import { AppError, fieldError } from "../errors.ts";
import { WorkerPool } from "../lib/worker-pool.ts";

/** Parameters of Argon2id, the library's default algorithm: OWASP's first recommendation. */
const PARAMETERS = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** Hash that no password matches. Verified when there is no account, so that the response takes as long as with one. */
const DUMMY_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

const TOO_COMMON = "Too many people use this password, so it is easy to guess. Please choose another";

const TOO_COMMON_FOR_STAFF =
  "This password is easy to guess: many people use it, or one like it with other digits and signs. A few words in a row are good";

type Owner = Partial<Pick<CurrentUser, "fullName" | "email">>;

/** @param network network of the request, as in `compute` */
export async function hashPassword(password: string, network?: string): Promise<string> {
  return (await compute({ kind: "hash", password, parameters: PARAMETERS }, network)) as string;
}

/** Hashes a password that a person has chosen. Throws INVALID_INPUT for the field `password` if it is too common. */
export async function hashChosenPassword(password: string, network?: string): Promise<string> {
  if (await isCommonPassword(password)) throw fieldError("password", TOO_COMMON);
  return hashPassword(password, network);
}

/**
 * The same for staff, whose password must also be long.
 * @param owner the password may not consist of their name or e-mail
 */
export async function hashStaffPassword(password: string, owner: Owner, path = "password"): Promise<string> {
  const fault = await findStaffPasswordFault(password, owner);
  if (fault) throw fieldError(path, fault);
  return hashPassword(password);
}

/** Why a password is too weak for staff, as a message for the person; null if it is strong enough. */
export async function findStaffPasswordFault(password: string, owner: Owner): Promise<string | null> {
  const fault = staffPasswordFault(password, owner);
  if (fault) return fault;
  return (await isCommonStaffPassword(password)) ? TOO_COMMON_FOR_STAFF : null;
}

/** Hashes a chosen password by the rule for the user's role. */
export function hashPasswordFor(
  user: Pick<CurrentUser, "role" | "fullName" | "email">,
  password: string,
): Promise<string> {
  return user.role === "customer" ? hashChosenPassword(password) : hashStaffPassword(password, user);
}

/** Whether the password matches the hash. An undefined or empty hash takes the same time and gives false. */
export async function checkPassword(
  passwordHash: string | undefined,
  password: string,
  network?: string,
): Promise<boolean> {
  const matches = await compute({ kind: "verify", password, hash: passwordHash || DUMMY_HASH }, network);
  return matches === true && Boolean(passwordHash);
}

/**
 * Number of common passwords that students cannot use, as OWASP asks for. The contract itself only asks for a password, so
 * no more are refused.
 */
const REFUSED_COUNT = 3000;

/** Names of this store, which people would try first here. */
const OWN_WORDS = ["print store", "printstore", "print-store", "printnow", "printshop"];

/** Minimum length of a staff password without the digits and signs at its ends. */
const MIN_STEM_LENGTH = 6;

interface CommonPasswords {
  /** The whole list, the most common first; refused for staff. */
  all: readonly string[];
  refused: ReadonlySet<string>;
}

/** Whether it is one of the most common passwords, which attackers try first. */
async function isCommonPassword(password: string): Promise<boolean> {
  return (await commonPasswords()).refused.has(password.trim().toLowerCase());
}

/**
 * The same for staff, against the whole list. Also finds listed passwords with digits and signs around or in place of
 * letters, and repeated ones; refuses a password with fewer than six characters between its outer digits and signs.
 */
async function isCommonStaffPassword(password: string): Promise<boolean> {
  const { all } = await commonPasswords();
  const plain = password.trim().toLowerCase();
  const stem = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (stem.length < MIN_STEM_LENGTH) return true;
  const letters = plain.replaceAll(/[^\p{L}]/gu, "");
  const forms = [plain, stem, letters, replaceLeet(stem, "i"), replaceLeet(stem, "l")];
  return forms.some((form) => all.includes(form) || all.includes(form.replace(/^(.+?)\1+$/u, "$1")));
}

/** Replaces digits and signs that stand for letters, as in p@ssw0rd. A one stands for `i` or `l`. */
function replaceLeet(text: string, one: "i" | "l"): string {
  const letters: Record<string, string> = { "0": "o", "1": one, "3": "e", "4": "a", "5": "s", "7": "t" };
  const signs: Record<string, string> = { "@": "a", $: "s", "!": one };
  return text.replaceAll(/[013457@$!]/g, (sign) => letters[sign] ?? signs[sign] ?? sign);
}

/** Loaded when the first password is chosen, because a server may restart without needing it. */
const commonPasswords = loadOnce(async (): Promise<CommonPasswords> => {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const all = dictionary["passwords-common"];
  return { all, refused: new Set([...all.slice(0, REFUSED_COUNT), ...OWN_WORDS]) };
});

export type PasswordTask =
  | { kind: "hash"; password: string; parameters: Options }
  | { kind: "verify"; password: string; hash: string };

/** Long enough for a busy machine. */
const LIMIT_MS = 30_000;
const REST_MS = 10_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

/**
 * One thread per core, because more would slow each other down. They are separate from Node's thread pool, where file access
 * would have to wait for passwords.
 */
const THREADS = availableParallelism();
const threads = new WorkerPool<PasswordTask, string | boolean>({
  module: new URL("./passwords.worker.ts", import.meta.url),
  resourceLimits: RESOURCE_LIMITS,
  workers: THREADS,
  restMs: REST_MS,
});

/**
 * A hash, or whether a password matches one. Throws UNAVAILABLE when the thread returns no result.
 * @param network network of the request: networks take turns, so guesses from one do not delay the logins of others
 */
async function compute(task: PasswordTask, network?: string): Promise<string | boolean> {
  // Keyboards send some letters whole, others the same ones as letter and mark (RFC 8265, 4.2.2).
  const password = task.password.normalize("NFC");
  const output = await threads.run({ ...task, password }, { limitMs: LIMIT_MS, account: network });
  if (output === null) {
    throw new AppError("UNAVAILABLE", "Passwords cannot be checked just now. Please try again in a minute");
  }
  return output;
}
