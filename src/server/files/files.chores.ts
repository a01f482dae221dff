import { type Chore, startChore } from "../chore.ts";
import type { Deps } from "../context.ts";
import { checkColours } from "./files.colour.service.ts";
import { eraseDeleted } from "./files.deletion.service.ts";

const EVERY_MS = 60 * 1000;

/** Removes the bytes of deleted files, one after the other, and tries every minute again what failed. */
export function startEraser(deps: Pick<Deps, "db" | "files" | "now" | "log">): Chore {
  return startChore(deps, {
    failure: "deleted files could not be erased",
    everyMs: EVERY_MS,
    run: () => eraseDeleted(deps),
  });
}

/** Looks for colour in the files that came in. */
export function startColourChecks(
  deps: Pick<Deps, "db" | "readDb" | "files" | "pdf" | "now" | "log" | "closing">,
): Chore {
  return startChore(deps, {
    failure: "files could not be looked at for colour",
    everyMs: EVERY_MS,
    run: () => checkColours(deps),
  });
}
