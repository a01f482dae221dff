import { createHmac, createSecretKey, hash, timingSafeEqual } from "node:crypto";

type Purpose = "otp" | "file-link" | "limit" | "signup" | "device" | "log";

/** Keyed hashes under the store's secret, a separate key for each purpose. */
export interface Keyring {
  /** HMAC-SHA-256 of `text` as base64url. */
  mac(purpose: Purpose, text: string): string;
}

export function createKeyring(secret: string): Keyring {
  const keyFor = (purpose: Purpose) => createSecretKey(createHmac("sha256", secret).update(purpose).digest());
  const keys = {
    otp: keyFor("otp"),
    "file-link": keyFor("file-link"),
    limit: keyFor("limit"),
    signup: keyFor("signup"),
    device: keyFor("device"),
    log: keyFor("log"),
  };
  return {
    mac: (purpose, text) => createHmac("sha256", keys[purpose]).update(text).digest("base64url"),
  };
}

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
