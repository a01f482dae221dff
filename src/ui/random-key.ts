/** 128 random bits as text. Unlike `crypto.randomUUID` it also works without TLS. */
export function randomKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(16)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
