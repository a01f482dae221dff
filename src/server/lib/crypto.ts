import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IN_DATA_DIR } from "./data-dir.ts";

export const PURPOSES = [
  ...["counter", "otp", "file-link", "limit"],
  ...["device", "log", "recovery-code", "shop-email-link", "undo-link"],
] as const;
type Purpose = (typeof PURPOSES)[number];

/** Keyed hashes and encryption with keys derived from the store's secret, one key for each purpose. */
export interface Keyring {
  /** HMAC-SHA-256 of `text` as base64url. */
  mac(purpose: Purpose, text: string): string;
  /**
   * Encrypts `text` with AES-256-GCM. `as` names its use and is authenticated, so a sealed text cannot be used as another
   * one.
   */
  seal(as: string, text: string): string;
  /** Decrypts the text; null if it was sealed for another use or under another secret, or was changed. */
  unseal(as: string, sealed: string): string | null;
}

export function createKeyring(secret: string): Keyring {
  const keyFor = (purpose: string) => createSecretKey(createHmac("sha256", secret).update(purpose).digest());
  const keys = Object.fromEntries(PURPOSES.map((purpose) => [purpose, keyFor(purpose)])) as Record<
    Purpose,
    KeyObject
  >;
  const sealingKey = keyFor("seal");
  return {
    mac: (purpose, text) => createHmac("sha256", keys[purpose]).update(text).digest("base64url"),
    seal(as, text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", sealingKey, iv).setAAD(Buffer.from(as));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    unseal(as, text) {
      const bytes = Buffer.from(text, "base64url");
      try {
        const decipher = createDecipheriv("aes-256-gcm", sealingKey, bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(Buffer.from(as))
          .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        const rest = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
        return Buffer.concat([rest, decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** 256 random bits for a cookie or a link. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 in hex, without a key: for random tokens and request fingerprints. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/** The source of a content security policy that allows this inline style or script. */
export function hashSource(text: string): string {
  return `'sha256-${hash("sha256", text, "base64")}'`;
}

/** Compares two texts in constant time. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Minimum length of the store's secret. */
export const SHORTEST_SECRET = 32;

/**
 * Reads the secret from the data folder, or creates it on the first start. `link` lets only one of two starting servers
 * write it.
 */
export async function loadSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, IN_DATA_DIR.secret);
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  try {
    return await readSecret(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  try {
    await writeFile(draft, randomBytes(32).toString("base64url"), { mode: 0o600, flush: true });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return readSecret(path);
}

/**
 * Throws for a file that was cut off, as by a full disk: a secret so short can be guessed, and then links to files can be
 * signed.
 */
async function readSecret(path: string): Promise<string> {
  const secret = await readFile(path, "utf8");
  if (secret.length < SHORTEST_SECRET)
    throw new Error(`DATA_DIR: ${path} is damaged. Put it there again from a backup`);
  return secret;
}

/** Of the last id: its time in ms, and how many ids of that ms came before it. */
let last = { ms: 0, count: 0 };
const MAX_COUNT = 0xfff;

/**
 * A new UUID of version 7, which begins with the time in ms. Rows created together are neighbours in every index, so a
 * commit writes fewer pages, and each of this process is greater than those before, also within a ms: what one transaction
 * records twice is read in that order. The id reveals its time of creation, but has 62 random bits.
 */
export function uuidv7(): string {
  const ms = Date.now();
  if (ms > last.ms) last = { ms, count: 0 };
  else if (last.count < MAX_COUNT) last = { ms: last.ms, count: last.count + 1 };
  else last = { ms: last.ms + 1, count: 0 };
  return uuidAt(last.ms, randomUUID(), last.count);
}

/**
 * The UUID of version 7 of this time in ms.
 * @param random a UUID of version 4, which provides the random bits
 */
export function uuidAt(
  ms: number,
  random: string,
  count = Number.parseInt(random.slice(15, 18), 16),
): string {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, "0")}${random.slice(18)}`;
}
