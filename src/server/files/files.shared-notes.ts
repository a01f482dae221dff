import { isDatabaseAway } from "#db/failures.ts";
import type { Deps } from "../context.ts";
import { deleteKeeping, findSilentKeepings, insertKeeping, renewKeeping } from "./files.keeping-queries.ts";

/** How a file is kept: `keep` it and `record` it, or `undo` what that did. */
interface Keeping {
  keep(): Promise<void>;
  record(): Promise<void>;
  undo(): Promise<void>;
}

/** Notes of the files that are being kept. By them is found what a server leaves that dies before it records a file. */
export interface SharedNotes {
  /** Keeps a file, under a note of its key. Throws what keeping it threw, and has undone it then. */
  during(key: string, keeping: Keeping): Promise<void>;
  /** Has `remove` delete what was kept without a record; nothing that is being kept at the moment. */
  settle(
    isRecorded: (key: string) => Promise<boolean>,
    remove: (key: string) => Promise<void>,
  ): Promise<void>;
}

/** Whoever is keeping a file says so. For so long after the last word, bytes of it may still arrive. */
const SIGN_OF_LIFE_MS = 60 * 1000;
const SILENCE_MS = 10 * 60 * 1000;

/** Notes in the database: what a server leaves that dies for good, any other clears away. */
export function createSharedNotes({ db, now }: Pick<Deps, "db" | "now">): SharedNotes {
  const renew = (key: string) => renewKeeping(db, key, now().toISOString());
  return {
    async during(key, { keep, record, undo }) {
      await insertKeeping(db, key, now().toISOString());
      const signs = setInterval(() => void renew(key).catch(() => {}), SIGN_OF_LIFE_MS);
      try {
        await keep();
        if (!(await renew(key))) throw new Error(`${key} was cleared away while it was being kept`);
        await record();
      } catch (error) {
        // The note stays until nothing can arrive any more; and a commit without an answer may count.
        if (!isDatabaseAway(error)) await undo().catch(() => {});
        throw error;
      } finally {
        clearInterval(signs);
      }
      await deleteKeeping(db, key).catch(() => {});
    },
    async settle(isRecorded, remove) {
      const before = new Date(now().getTime() - SILENCE_MS);
      for (const key of await findSilentKeepings(db, before.toISOString())) {
        if (!(await isRecorded(key))) await remove(key);
        await deleteKeeping(db, key);
      }
    },
  };
}
