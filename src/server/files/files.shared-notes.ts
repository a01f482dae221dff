import { isDatabaseAway } from "#db/failures.ts";
import type { Deps } from "../context.ts";
import type { KeepingNotes } from "./files.keeping-notes.ts";
import { deleteKeeping, findSilentKeepings, insertKeeping, renewKeeping } from "./files.keeping-queries.ts";

/** Whoever is keeping a file says so. For so long after the last word, bytes of it may still arrive. */
const SIGN_OF_LIFE_MS = 60 * 1000;
const SILENCE_MS = 10 * 60 * 1000;

/** Notes in the database: what a server leaves that dies for good, any other clears away. */
export function createSharedNotes({ db, now }: Pick<Deps, "db" | "now">): KeepingNotes {
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
