import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

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
