import type { Readable } from "node:stream";
import type { BodyLimit } from "../../http/limits.ts";

/** A body that has arrived in full, as a file of this machine. */
export interface ReceivedFile {
  /** Its bytes are synced to the disk. */
  path: string;
  bytes: number;
  /** Of its content, in hex. */
  sha256: string;
  /** Deletes it. Safe to call when it is gone. */
  discard(): Promise<void>;
}

/** A received file that can become one of the store's. */
export interface StagedFile extends ReceivedFile {
  /** Stores it and then runs `record`; where either fails it is not stored. `path` may no longer exist afterwards. */
  commit(record: () => Promise<void>): Promise<void>;
}

export interface StoredRange {
  /** First and last byte, both included. */
  start: number;
  end: number;
}

/**
 * Where uploaded documents live. Keys are made by the server and never come from outside; none is used twice. A store
 * that is not on this machine throws UNAVAILABLE when it does not answer.
 */
export interface FileStore {
  /** Whether every server on the database sees the same files. */
  readonly isShared: boolean;
  /** Streams a body that will not be stored as it came to a local file. Throws TOO_LARGE past `limit`. */
  receive(body: Readable, limit: BodyLimit): Promise<ReceivedFile>;
  /** Streams a body that may be stored under `key` to a local file. Throws TOO_LARGE past `maxBytes`; leaves nothing behind then. */
  stage(body: Readable, as: { key: string; maxBytes: number }): Promise<StagedFile>;
  /** Reads a stored file, or a range of it. Throws NOT_FOUND when it is gone. */
  read(key: string, range?: StoredRange): Promise<Readable>;
  /** Runs `use` with the path of a stored file on this machine, which is good until `use` is done. Throws NOT_FOUND when it is gone. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Deletes what a server stored and did not record, because it died or its database failed. */
  removeAbandoned(isRecorded: (key: string) => Promise<boolean>): Promise<void>;
  /** Deletes a stored file; a missing one counts as deleted. */
  remove(key: string): Promise<void>;
}
