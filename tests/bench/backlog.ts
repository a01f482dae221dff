import { setTimeout as sleep } from "node:timers/promises";
import { type Db, openDatabase } from "#db/open.ts";

const LOOK_EVERY_MS = 20;
const MAX_WAIT_MS = 120_000;

/**
 * Waits until the server has finished its deferred work, so that this does not run while the limit is measured.
 * @param findOne finds one item that is still to be done
 */
export async function waitUntilDone(
  databaseUrl: string,
  findOne: (db: Db) => Promise<unknown>,
): Promise<void> {
  const { readDb, close } = await openDatabase(databaseUrl);
  const deadline = performance.now() + MAX_WAIT_MS;
  while (await findOne(readDb)) {
    if (performance.now() > deadline) throw new Error("What the server has put off is not done in time");
    await sleep(LOOK_EVERY_MS);
  }
  await close();
}
