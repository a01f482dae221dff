import type { Deps } from "../context.ts";
import { findLogHead } from "./queue.log-queries.ts";

const EVERY_MS = 1000;

/**
 * Rings the bell when the log has grown. A change made in this process rings it at once; this is for changes that
 * another server on the same database made. Nothing is read while nobody follows the queue.
 */
export function startQueueWatch({ readDb, queueBell, log }: Pick<Deps, "readDb" | "queueBell" | "log">) {
  let known = -1;
  let current = Promise.resolve();
  const timer = setInterval(() => {
    if (queueBell.isAwaited) current = current.then(look);
  }, EVERY_MS);
  timer.unref();

  async function look(): Promise<void> {
    try {
      const head = await findLogHead(readDb);
      if (head !== known) queueBell.ring();
      known = head;
    } catch (error) {
      log.error({ err: error }, "the queue's log could not be read");
    }
  }

  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
