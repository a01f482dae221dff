import { createHmac, timingSafeEqual } from "node:crypto";

const SIGNATURE = /[?&]signature=hmac-sha256(?:=|%3D)([0-9a-f]{64})$/i;

/** Why a signed URL is invalid; null for a valid one. The signature is at its end and covers the rest. */
export function faultOfSignature(url: string, apiKey: string, now = Date.now()): string | null {
  const given = SIGNATURE.exec(url);
  if (!given?.[1]) return "No signature";
  const signed = url.slice(0, given.index);
  const expected = createHmac("sha256", apiKey).update(signed).digest();
  if (!timingSafeEqual(expected, Buffer.from(given[1], "hex"))) return "Wrong signature";
  const expires = Number(new URL(signed).searchParams.get("expires"));
  if (!Number.isInteger(expires) || expires <= 0) return "No time of expiry";
  return expires > now ? null : "Expired";
}
