import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";

/**
 * Has this thread come after all others that want its core. Linux counts threads one by one; elsewhere, and where it is
 * not allowed, this one stays as it is.
 */
export function giveWay(): void {
  try {
    const thread = basename(readlinkSync("/proc/thread-self"));
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is only slower for the others then.
  }
}
