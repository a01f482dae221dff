import { statfs } from "node:fs/promises";
import { AppError } from "../errors.ts";
import { Capacity } from "./capacity.ts";
import { ACCOUNT_UPLOADS } from "./limits.ts";

export function storageFull(): AppError {
  return new AppError(
    "STORAGE_FULL",
    "The store has no room for more files at the moment. Please try again later",
  );
}

/**
 * Sees to it that uploads, or print copies, under way leave orders, logins and mails their room on the disk, and that an
 * account has few uploads at once.
 */
export class DiskRoom {
  readonly #folder: string;
  readonly #leaveBytes: number;
  readonly #accounts: Capacity<"account">;
  #takenBytes = 0;

  /**
   * @param leaveBytes what they leave free on the disk that `folder` is on
   * @param isLimited whether an account may have only so many uploads under way
   */
  constructor(folder: string, leaveBytes: number, { isLimited = false } = {}) {
    this.#folder = folder;
    this.#leaveBytes = leaveBytes;
    const max = isLimited ? ACCOUNT_UPLOADS : Number.POSITIVE_INFINITY;
    this.#accounts = new Capacity({ account: { max, endsOldest: false } });
  }

  /** How many uploads of the account are under way. */
  underWay(account: string): number {
    return this.#accounts.held("account", account);
  }

  /** Runs an upload of this account with room for so many bytes. Throws RATE_LIMITED, or STORAGE_FULL where there is too little. */
  async during<Result>(account: string, bytes: number, upload: () => Promise<Result>): Promise<Result> {
    const end = this.#accounts.take({ keys: { account } });
    if (!end) throw tooManyUploads();
    try {
      const leave = await this.take(bytes);
      return await upload().finally(leave);
    } finally {
      end();
    }
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

function tooManyUploads(): AppError {
  const message = "Six of your files are being uploaded already. Please try again once one of them is there";
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: 10 });
}

/** Room left on the disk that the folder is on. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
