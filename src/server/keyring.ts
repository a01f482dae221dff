import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** Keyed hashes under the store's secret, a separate key for each purpose. */
export interface Keyring {
  /** HMAC-SHA-256 of `text` as base64url. */
  mac(purpose: "otp" | "file-link" | "limit", text: string): string;
}

export function createKeyring(secret: string): Keyring {
  return {
    mac(purpose, text) {
      const key = createHmac("sha256", secret).update(purpose).digest();
      return createHmac("sha256", key).update(text).digest("base64url");
    },
  };
}

/** SHA-256 in hex, for tokens with enough randomness of their own and for request fingerprints. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Compares two hashes without telling by its time where they differ. */
export function sameHash(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
