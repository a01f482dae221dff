import { statfs } from "node:fs/promises";
import { AppError } from "./errors.ts";

export function storageFull(): AppError {
  return new AppError(
    "STORAGE_FULL",
    "The store has no room for more files at the moment. Please try again later",
  );
}

/** Sees to it that uploads, or print copies, under way leave orders, logins and mails their room on the disk. */
export class DiskRoom {
  readonly #folder: string;
  readonly #leaveBytes: number;
  #takenBytes = 0;

  /** @param leaveBytes what they leave free on the disk that `folder` is on */
  constructor(folder: string, leaveBytes: number) {
    this.#folder = folder;
    this.#leaveBytes = leaveBytes;
  }

  /** Takes room for an upload until it is given back by what is answered. Throws STORAGE_FULL where there is too little. */
  async take(bytes: number): Promise<() => void> {
    const free = await freeBytes(this.#folder);
    // What others took while the disk was asked counts: nothing is awaited from here on.
    if (this.#leftOf(free) < Math.max(bytes, 1)) throw storageFull();
    this.#takenBytes += bytes;
    return () => {
      this.#takenBytes -= bytes;
    };
  }

  /** What uploads may still take; none where it is 0. */
  async leftBytes(): Promise<number> {
    return this.#leftOf(await freeBytes(this.#folder));
  }

  #leftOf(free: number): number {
    return Math.max(0, free - this.#leaveBytes - this.#takenBytes);
  }
}

/** Room left on the disk that the folder is on. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
