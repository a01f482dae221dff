import { formatBytes } from "./file-size.ts";

/** What the account's files that are not ordered take in the store, and what they may. */
export interface UploadRoom {
  usedBytes: number;
  maxBytes: number;
}

/** From this share on students are told how much they use. */
const TELL_FROM = 0.6;
const REMEDY =
  "Remove files that you do not need or place your order to make room; what is not ordered within a day is deleted";

/** How much of the room is used, where that is worth knowing; null otherwise. */
export function describeRoom({ usedBytes, maxBytes }: UploadRoom): string | null {
  if (usedBytes < TELL_FROM * maxBytes) return null;
  return `Your files that are not ordered yet take ${formatBytes(usedBytes)} of ${formatBytes(maxBytes)}. ${REMEDY}`;
}

/** Why a file of this size cannot be uploaded; null where it fits. */
export function findNoRoom(name: string, bytes: number, { usedBytes, maxBytes }: UploadRoom): string | null {
  if (usedBytes + bytes <= maxBytes) return null;
  const left = Math.max(0, maxBytes - usedBytes);
  const room = left < 1024 ? "none is left" : `${formatBytes(left)} of it are left`;
  return `There is no room for “${name}” (${formatBytes(bytes)}): files that are not ordered yet may take ${formatBytes(maxBytes)}, and ${room}. ${REMEDY}`;
}
