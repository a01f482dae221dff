import { randomBytes } from "node:crypto";
import type { Context } from "../context.ts";
import { sameHash } from "../keyring.ts";

/** From one term to the next; browsers keep no cookie longer than 400 days. */
const REMEMBERED_MS = 180 * 24 * 60 * 60 * 1000;

interface Opened {
  _id: string;
  passwordHash: string;
}

/**
 * The name of the caller's device, where it has logged in to this account under its present password; otherwise null. What
 * it does wrong is counted under that name, apart from what strangers do (OWASP, Slow Down Online Guessing Attacks with
 * Device Cookies).
 */
export function knownDevice(
  ctx: Pick<Context, "deviceCookie" | "keyring">,
  account: Opened | null,
): string | null {
  const [name, mac] = ctx.deviceCookie.token?.split(".") ?? [];
  if (!account || !name || !mac) return null;
  return sameHash(mac, macOf(ctx, name, account)) ? name : null;
}

/** Has the browser remember, without saying of whom, that somebody has logged in to this account with it. */
export function rememberDevice(
  ctx: Pick<Context, "deviceCookie" | "keyring" | "now">,
  account: Opened,
): void {
  if (knownDevice(ctx, account)) return;
  const name = randomBytes(16).toString("base64url");
  const expiresAt = new Date(ctx.now().getTime() + REMEMBERED_MS);
  ctx.deviceCookie.set(`${name}.${macOf(ctx, name, account)}`, expiresAt);
}

/** With a new password every device is a stranger's again: whoever knew the old one may have made many of them known. */
function macOf({ keyring }: Pick<Context, "keyring">, name: string, { _id, passwordHash }: Opened): string {
  return keyring.mac("device", `${_id} ${passwordHash} ${name}`);
}
