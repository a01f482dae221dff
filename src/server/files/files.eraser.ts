import { AsyncResource } from "node:async_hooks";
import type { Deps } from "../context.ts";
import { eraseDeleted } from "./files.deletion.service.ts";

const RETRY_MS = 60 * 1000;

export interface Eraser {
  /** Removes the bytes of what was just deleted now, instead of at the next try. */
  wake(): void;
  /** Waits for the file under way; the rest is left for the next start. */
  stop(): Promise<void>;
}

/** Removes the bytes of deleted files, one after the other, and tries every minute again what failed. */
export function startEraser(deps: Pick<Deps, "db" | "files" | "now" | "log">): Eraser {
  let current: Promise<void> | null = null;
  let isWanted = false;

  async function work(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await eraseDeleted(deps).catch((error: unknown) =>
        deps.log.error({ err: error }, "deleted files could not be erased"),
      );
    }
    current = null;
  }

  // Erasing is nobody's request: it must not run on in the transaction of whoever woke it.
  const wake = AsyncResource.bind(() => {
    isWanted = true;
    current ??= work();
  });
  const retry = setInterval(wake, RETRY_MS);
  wake();

  return {
    wake,
    async stop() {
      clearInterval(retry);
      await current;
    },
  };
}
