import type { Database } from "#db/open.ts";
import { findCatalogueVersion } from "./shops.catalogue-queries.ts";

/** For so long another server's change may go unseen, where the database does not tell of it. */
const MAX_AGE_MS = 400;

/** All that students see of shops and prices, as one thing that changes. */
export interface Catalogue {
  /**
   * A number that differs from an earlier one once anything in it has changed: at once where this server changed it, and
   * within a second where another did.
   */
  version(): number | Promise<number>;
}

/** Asks the database only when something was committed since it was asked last, or after a while. */
export function createCatalogue({ readDb, commitMark }: Pick<Database, "readDb" | "commitMark">): Catalogue {
  let known = { version: 0, mark: -1, at: Number.NEGATIVE_INFINITY };
  let asking: { mark: number; version: Promise<number> } | undefined;

  async function ask(mark: number): Promise<number> {
    const at = performance.now();
    const version = await findCatalogueVersion(readDb);
    known = { version, mark, at };
    return version;
  }

  return {
    version() {
      const mark = commitMark();
      if (known.mark === mark && performance.now() - known.at < MAX_AGE_MS) return known.version;
      if (asking?.mark === mark) return asking.version;
      const question = { mark, version: ask(mark) };
      asking = question;
      const forget = () => {
        if (asking === question) asking = undefined;
      };
      question.version.then(forget, forget);
      return question.version;
    },
  };
}
