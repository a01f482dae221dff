import type { Readable } from "node:stream";
import type { BodyLimit } from "../../http/limits.ts";

/** A file that has fully arrived but is not kept yet. */
export interface StagedFile {
  /** Where its bytes are on this machine, for whoever inspects them; they may still be on their way to the disk. */
  path: string;
  bytes: number;
  /** Of its content, in hex. */
  sha256: string;
  /** Keeps it for certain, then has it recorded; without the record it is not kept. Afterwards `path` may be gone. */
  keep(record: () => Promise<void>): Promise<void>;
  /** Throws it away. Safe to call after `keep`. */
  discard(): Promise<void>;
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
  /** Whether every server on the database sees what is kept here. */
  readonly isShared: boolean;
  /** Streams a body to the side that is not to be kept as it came, in flat memory. Throws TOO_LARGE past `limit`. */
  receive(body: Readable, limit: BodyLimit): Promise<Omit<StagedFile, "keep">>;
  /**
   * Streams a body that may be kept under `key` to the side, in flat memory. Throws TOO_LARGE past `maxBytes`; leaves
   * nothing behind then.
   */
  stage(body: Readable, as: { key: string; maxBytes: number }): Promise<StagedFile>;
  /** Reads a kept file, or a range of it. Throws NOT_FOUND when it is gone. */
  read(key: string, range?: StoredRange): Promise<Readable>;
  /** Lends `use` a kept file as one of this machine, until `use` is done. Throws NOT_FOUND when it is gone. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Deletes what was kept by a server that died before it could record it, also where that failed before. */
  dropUnrecorded(isRecorded: (key: string) => Promise<boolean>): Promise<void>;
  /** Deletes a kept file; a missing one counts as deleted. */
  remove(key: string): Promise<void>;
}
