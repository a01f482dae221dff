import { createHmac } from "node:crypto";
import Sqids, { defaultOptions } from "sqids";

// What UploadThing's documentation calls 'generating presigned URLs'. Its SDK has functions for it, but they are not among
// those that it exports.

/** The beginning of every key of this app's files: the app's id, encoded by Sqids with an alphabet of the app's own. */
export function keyPrefixOf(appId: string): string {
  const alphabet = shuffle(defaultOptions.alphabet, hashOf(appId));
  return new Sqids({ alphabet, minLength: 12 }).encode([Math.abs(hashOf(appId))]);
}

/** A URL that UploadThing takes an upload under, for what `data` says of the file and until the time is over. */
export function signUploadUrl(
  address: string,
  apiKey: string,
  { seconds, data }: { seconds: number; data: Record<string, string | number> },
): string {
  const url = new URL(address);
  url.searchParams.append("expires", String(Date.now() + seconds * 1000));
  // Each value is encoded by itself, before the URL encodes it once more.
  for (const [name, value] of Object.entries(data)) url.searchParams.append(name, encodeURIComponent(value));
  const signature = createHmac("sha256", apiKey).update(url.href).digest("hex");
  url.searchParams.append("signature", `hmac-sha256=${signature}`);
  return url.href;
}

/** Bernstein's hash from the last character on, with the second highest bit lost. */
function hashOf(text: string): number {
  let hash = 5381;
  for (let index = text.length - 1; index >= 0; index--) hash = Math.imul(hash, 33) ^ text.charCodeAt(index);
  return (hash & 0xbfffffff) | ((hash >>> 1) & 0x40000000);
}

/** Swaps every character with another one that `seed`, which may be negative, decides. */
function shuffle(text: string, seed: number): string {
  const characters = [...text];
  for (const index of characters.keys()) {
    const other = ((seed % (index + 1)) + index) % characters.length;
    [characters[index], characters[other]] = [characters[other] as string, characters[index] as string];
  }
  return characters.join("");
}
