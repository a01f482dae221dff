import { statfs } from "node:fs/promises";
import { AppError } from "../errors.ts";
import { MAX_ACCOUNT_UPLOADS } from "./limits.ts";
import { Capacity } from "./streams.ts";

export function storageFull(): AppError {
  return new AppError(
    "STORAGE_FULL",
    "The store has no room for more files at the moment. Please try again later",
  );
}

/**
 * Limits uploads or print copies so that orders, logins and mails still have disk space, and limits the concurrent uploads
 * of one account.
 */
export class DiskSpace {
  readonly #folder: string;
  readonly #minFreeBytes: number;
  readonly #accounts: Capacity<"account">;
  #reservedBytes = 0;

  /**
   * @param minFreeBytes disk space that must stay free on the disk of `folder`
   * @param isLimited whether MAX_ACCOUNT_UPLOADS applies
   */
  constructor(folder: string, minFreeBytes: number, { isLimited = false } = {}) {
    this.#folder = folder;
    this.#minFreeBytes = minFreeBytes;
    const max = isLimited ? MAX_ACCOUNT_UPLOADS : Number.POSITIVE_INFINITY;
    this.#accounts = new Capacity({ account: { max, endsOldest: false } });
  }

  /** Number of uploads of the account that are running. */
  underWay(account: string): number {
    return this.#accounts.held("account", account);
  }

  /** Counts an upload of this account until the returned function is called. Throws RATE_LIMITED if it has too many. */
  begin(account: string): () => void {
    const end = this.#accounts.take({ keys: { account } });
    if (!end) throw tooManyUploads();
    return end;
  }

  /**
   * Runs an upload of this account with `bytes` reserved. Throws RATE_LIMITED if the account has too many uploads, and
   * STORAGE_FULL if there is too little space.
   */
  async during<Result>(account: string, bytes: number, upload: () => Promise<Result>): Promise<Result> {
    const end = this.begin(account);
    try {
      const release = await this.take(bytes);
      return await upload().finally(release);
    } finally {
      end();
    }
  }

  /** Reserves disk space and returns the function that releases it. Throws STORAGE_FULL if there is too little. */
  async take(bytes: number): Promise<() => void> {
    const free = await freeBytes(this.#folder);
    // `#reservedBytes` may have changed during the await; from here on nothing is awaited.
    if (this.#availableOf(free) < Math.max(bytes, 1)) throw storageFull();
    this.#reservedBytes += bytes;
    return () => {
      this.#reservedBytes -= bytes;
    };
  }

  /** Bytes that may still be reserved. */
  async leftBytes(): Promise<number> {
    return this.#availableOf(await freeBytes(this.#folder));
  }

  /** Whether less is free than must stay free, whatever is reserved. */
  async isShort(): Promise<boolean> {
    return (await freeBytes(this.#folder)) < this.#minFreeBytes;
  }

  #availableOf(free: number): number {
    return Math.max(0, free - this.#minFreeBytes - this.#reservedBytes);
  }
}

function tooManyUploads(): AppError {
  const message = "Six of your files are being uploaded already. Please try again once one of them is there";
  return new AppError("RATE_LIMITED", message, { retryAfterSeconds: 10 });
}

/** Free bytes on the disk of the folder. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
