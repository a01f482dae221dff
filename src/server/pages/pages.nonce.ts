import { randomFillSync } from "node:crypto";

const NONCE_BYTES = 16;
/** To ask for random bytes takes longer than all else that a kept page needs, however few they are. */
const drawn = Buffer.alloc(256 * NONCE_BYTES);
let used = drawn.length;

export function drawNonce(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const end = used + NONCE_BYTES;
  const nonce = drawn.toString("base64url", used, end);
  used = end;
  return nonce;
}
