import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { IN_DATA_DIR } from "./data-dir.ts";

type Purpose = "otp" | "file-link" | "limit" | "signup" | "device" | "log" | "recovery-code" | "undo-link";

/** Keyed hashes under the store's secret, a separate key for each purpose. */
export interface Keyring {
  /** HMAC-SHA-256 of `text` as base64url. */
  mac(purpose: Purpose, text: string): string;
  /** `text` encrypted (AES-256-GCM), to be read again by this store alone and as what it was sealed as. */
  seal(as: string, text: string): string;
  /** What was sealed; null where it was sealed as something else, under another secret, or altered. */
  unseal(as: string, sealed: string): string | null;
}

export function createKeyring(secret: string): Keyring {
  const keyFor = (purpose: Purpose | "seal") =>
    createSecretKey(createHmac("sha256", secret).update(purpose).digest());
  const keys = {
    otp: keyFor("otp"),
    "file-link": keyFor("file-link"),
    limit: keyFor("limit"),
    signup: keyFor("signup"),
    device: keyFor("device"),
    log: keyFor("log"),
    "recovery-code": keyFor("recovery-code"),
    "undo-link": keyFor("undo-link"),
  };
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

/** SHA-256 in hex, for tokens with enough randomness of their own and for request fingerprints. */
export function sha256(text: string): string {
  return hash("sha256", text);
}

/** Compares two hashes without telling by its time where they differ. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The secret kept in the data folder; made on the first start. Two servers that start at once end up with one. */
export async function loadSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, IN_DATA_DIR.secret);
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${process.pid}`;
  try {
    return await readFile(path, "utf8");
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
  return readFile(path, "utf8");
}

/**
 * A new id that begins with the time, a UUID of version 7. Rows of which many come every second have such ids: what comes
 * together then lies together in every index, and is written to the disk with a few pages instead of one for each row.
 * It tells when it was made, and is no easier to guess than a random one.
 * @param random a UUID, of which most is taken over
 */
export function uuidv7(now = Date.now(), random: string = randomUUID()): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
