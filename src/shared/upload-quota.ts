import { formatBytes } from "./format.ts";

/** The space used by an account's files that are not ordered, and its limit. */
export interface UploadQuota {
  usedBytes: number;
  maxBytes: number;
}

/** The quota, and how large one file may be. */
export interface UploadRoom extends UploadQuota {
  maxFileBytes: number;
}

/** Students are told about their usage from this share on. */
const TELL_FROM = 0.6;
const REMEDY =
  "Remove files you do not need or place your order to free up space. Files not ordered within a day are deleted";

/** The usage in words; null while it is below TELL_FROM. */
export function quotaText({ usedBytes, maxBytes }: UploadQuota): string | null {
  if (usedBytes < TELL_FROM * maxBytes) return null;
  return `Your files not yet ordered use ${formatBytes(usedBytes)} of ${formatBytes(maxBytes)}. ${REMEDY}`;
}

/** Why a file of this size cannot be uploaded; null if it fits. */
export function quotaProblem(
  name: string,
  bytes: number,
  { usedBytes, maxBytes }: UploadQuota,
): string | null {
  if (usedBytes + bytes <= maxBytes) return null;
  const left = maxBytes - usedBytes;
  const space = left < 1024 ? "nothing is left" : `${formatBytes(left)} is left`;
  return `“${name}” (${formatBytes(bytes)}) does not fit: files not yet ordered may use ${formatBytes(maxBytes)}, and ${space}. ${REMEDY}`;
}
