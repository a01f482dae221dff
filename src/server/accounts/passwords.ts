import { availableParallelism } from "node:os";
import type { Options } from "@node-rs/argon2";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { staffPasswordFault } from "#shared/schemas/staff-passwords.ts";
import { AppError } from "../errors.ts";
import { WorkerPool } from "../lib/worker-pool.ts";

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

/** As many as OWASP asks for. The contract itself asks for no more than a password, so no further ones are refused. */
const REFUSED = 3000;

/** What this store is called, as people would try it first here. */
const OWN_WORDS = ["print store", "printstore", "print-store", "printnow", "printshop"];

/** What must stay of a staff password without the digits and signs around it. */
const FEWEST_IN_STEM = 6;

interface CommonPasswords {
  /** The most common first; of all of them only staff are refused. */
  all: readonly string[];
  refused: ReadonlySet<string>;
}

let loaded: Promise<CommonPasswords> | undefined;

/** Whether the password is among those that people choose most often, and that attackers therefore try first. */
async function isCommonPassword(password: string): Promise<boolean> {
  loaded ??= load();
  return (await loaded).refused.has(password.trim().toLowerCase());
}

/**
 * The same for staff, of whom more can be asked: no password of the whole list, also where digits and signs are put around
 * or in place of its letters, or it is repeated; and none that has little else than digits and signs.
 */
async function isCommonStaffPassword(password: string): Promise<boolean> {
  loaded ??= load();
  const { all } = await loaded;
  const plain = password.trim().toLowerCase();
  const stem = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  if (stem.length < FEWEST_IN_STEM) return true;
  const letters = plain.replaceAll(/[^\p{L}]/gu, "");
  const forms = [plain, stem, letters, withLetters(stem, "i"), withLetters(stem, "l")];
  return forms.some((form) => all.includes(form) || all.includes(form.replace(/^(.+?)\1+$/u, "$1")));
}

/** Without the digits and signs that stand for letters: p@ssw0rd. A one stands for two of them. */
function withLetters(text: string, one: "i" | "l"): string {
  const letters: Record<string, string> = { "0": "o", "1": one, "3": "e", "4": "a", "5": "s", "7": "t" };
  const signs: Record<string, string> = { "@": "a", $: "s", "!": one };
  return text.replaceAll(/[013457@$!]/g, (sign) => letters[sign] ?? signs[sign] ?? sign);
}

/** The list is read when somebody first chooses a password: a server that only restarts does without. */
async function load(): Promise<CommonPasswords> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  const all = dictionary["passwords-common"];
  return { all, refused: new Set([...all.slice(0, REFUSED), ...OWN_WORDS]) };
}

/** What a thread is asked to compute of a password. */
export type PasswordTask =
  | { kind: "hash"; password: string; parameters: Options }
  | { kind: "verify"; password: string; hash: string };

/** Long enough for a machine that is busy otherwise, as these threads give way to all others. */
const LIMIT_MS = 30_000;
const REST_MS = 10_000;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };

/**
 * One for each core: more would only make every one of them slower. They are not the pool in which files are read and
 * written, which would wait for passwords then.
 */
const THREADS = availableParallelism();
const threads = new WorkerPool<PasswordTask, string | boolean>({
  module: new URL("./passwords.worker.ts", import.meta.url),
  resourceLimits: RESOURCE_LIMITS,
  workers: THREADS,
  restMs: REST_MS,
});

/** The password's hash. Throws UNAVAILABLE when the thread gives no answer. @param network as in `compute` */
async function hashApart(password: string, parameters: Options, network?: string): Promise<string> {
  return (await compute({ kind: "hash", password, parameters }, network)) as string;
}

/** Whether it is the password's hash. Throws UNAVAILABLE when the thread gives no answer. */
async function verifyApart(hash: string, password: string, network?: string): Promise<boolean> {
  return (await compute({ kind: "verify", hash, password }, network)) === true;
}

/** @param network where the request came from: networks take turns, so that guesses from one keep no other's login waiting */
async function compute(task: PasswordTask, network?: string): Promise<string | boolean> {
  const output = await threads.run(task, { limitMs: LIMIT_MS, account: network });
  if (output === null) {
    throw new AppError("UNAVAILABLE", "Passwords cannot be checked just now. Please try again in a minute");
  }
  return output;
}
