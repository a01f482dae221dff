import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** PDFium asks for 512 bytes or less at a time, and mostly goes on from where it was. */
const AHEAD_BYTES = 4096;

/** An open file of which ranges are read. What is asked for in small pieces is read from the disk in larger ones. */
export interface RangedFile {
  /** Names it among the open ones; another file may have it later. */
  fd: number;
  bytes: number;
  /** Fills `target` from `position` on; false where the file has less. */
  read(target: Uint8Array, position: number): boolean;
  close(): void;
}

/** Opens the file at `path`, which nobody writes to any more. */
export function openRangedFile(path: string): RangedFile {
  const fd = openSync(path, "r");
  const ahead = Buffer.allocUnsafe(AHEAD_BYTES);
  let from = 0;
  let to = 0;
  return {
    fd,
    bytes: fstatSync(fd).size,
    read(target, position) {
      const end = position + target.length;
      if (position < from || end > to) {
        if (target.length > AHEAD_BYTES) return readUpTo(fd, target, position) === target.length;
        from = position;
        to = position + readUpTo(fd, ahead, position);
        if (end > to) return false;
      }
      target.set(ahead.subarray(position - from, end - from));
      return true;
    },
    close: () => closeSync(fd),
  };
}

/** Fills `target` unless the file ends before, and gives how many bytes it has then. */
function readUpTo(fd: number, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.length) {
    const read = readSync(fd, target, done, target.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
