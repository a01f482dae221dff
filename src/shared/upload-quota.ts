import { formatBytes } from "./format.ts";

/** The space used by an account's files that are not ordered, and its limit. */
export interface UploadQuota {
  usedBytes: number;
  maxBytes: number;
}

/** Students are told about their usage from this share on. */
const TELL_FROM = 0.6;
const REMEDY =
  "Remove files that you do not need or place your order to make room; what is not ordered within a day is deleted";

/** The usage in words; null while it is below TELL_FROM. */
export function quotaText({ usedBytes, maxBytes }: UploadQuota): string | null {
  if (usedBytes < TELL_FROM * maxBytes) return null;
  return `Your files that are not ordered yet take ${formatBytes(usedBytes)} of ${formatBytes(maxBytes)}. ${REMEDY}`;
}

/** Why a file of this size cannot be uploaded; null if it fits. */
export function quotaProblem(
  name: string,
  bytes: number,
  { usedBytes, maxBytes }: UploadQuota,
): string | null {
  if (usedBytes + bytes <= maxBytes) return null;
  const left = Math.max(0, maxBytes - usedBytes);
  const room = left < 1024 ? "none is left" : `${formatBytes(left)} of it are left`;
  return `There is no room for “${name}” (${formatBytes(bytes)}): files that are not ordered yet may take ${formatBytes(maxBytes)}, and ${room}. ${REMEDY}`;
}
