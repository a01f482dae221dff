import type { Deps } from "../context.ts";
import { sameHash } from "../lib/crypto.ts";

/** What a signed link carries beside the file's id, as it stands in the URL. */
export interface FileLink {
  /** Seconds since 1970 until which the link is good. */
  exp: string;
  sig: string;
}

/** Where a file is read; only its owner can without a signature. */
export function fileUrl(deps: Pick<Deps, "publicUrl">, fileId: string): string {
  return `${deps.publicUrl()}/files/${fileId}`;
}

/** A URL under which anyone who has it can read the file until `expiresAt`. */
export function signFileUrl(
  deps: Pick<Deps, "publicUrl" | "keyring">,
  fileId: string,
  expiresAt: Date,
): string {
  const exp = String(Math.floor(expiresAt.getTime() / 1000));
  return `${fileUrl(deps, fileId)}?${new URLSearchParams({ exp, sig: signature(deps, fileId, exp) })}`;
}

/** Whether the store made this link for this file, and whether it is still good. */
export function checkLink(
  deps: Pick<Deps, "keyring" | "now">,
  fileId: string,
  { exp, sig }: FileLink,
): "good" | "expired" | "forged" {
  if (!sameHash(sig, signature(deps, fileId, exp))) return "forged";
  return Number(exp) * 1000 > deps.now().getTime() ? "good" : "expired";
}

/** The file that a URL names, when it is a path or its origin is one of `origins`; null otherwise. */
export function fileIdOf(url: string, origins: readonly string[]): string | null {
  const base = origins[0];
  const parsed = base ? URL.parse(url, base) : null;
  if (!parsed || !origins.includes(parsed.origin)) return null;
  return /^\/files\/([\w-]{1,64})$/.exec(parsed.pathname)?.[1] ?? null;
}

function signature({ keyring }: Pick<Deps, "keyring">, fileId: string, exp: string): string {
  return keyring.mac("file-link", `${fileId} ${exp}`);
}
