import { deletePendingBefore } from "./accounts/accounts.second-factor.queries.ts";
import type { Deps } from "./context.ts";
import { sweepUnordered } from "./files/files.deletion.service.ts";
import { deleteReservationsBefore } from "./files/files.room-queries.ts";
import { isFileRecorded } from "./files/files.service.ts";
import { sweepFarewells } from "./mail/mail.personal.service.ts";
import { sweepLog } from "./queue/queue.log.service.ts";
import { isPhotoRecorded as isReportPhoto, sweepReportPhotos } from "./reprints/reprints.photos.service.ts";
import { isPhotoRecorded as isShopPhoto } from "./shops/shops.photo-sharing.service.ts";
import { sweepShopPhotos } from "./shops/shops.photos.service.ts";

const EVERY_MS = 10 * 60 * 1000;

/**
 * Clears away what has run out, at the start and every ten minutes: sessions, counts of limits, uploads that were
 * never ordered or never recorded and the room of those that died with their server, old entries of the queue's log, farewells to deleted accounts, photos of shops that
 * no shop shows, and photos of printing errors that are settled.
 */
export function startSweeps(deps: Deps): { stop(): Promise<void> } {
  let current = sweep(deps);
  const timer = setInterval(() => {
    current = current.then(() => sweep(deps));
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}

async function sweep(deps: Deps): Promise<void> {
  const jobs = {
    sessions: deps.sessions.sweepExpired(),
    pendingLogins: deletePendingBefore(deps.db, deps.now().toISOString()),
    limits: deps.limits.sweepExpired(),
    uploads: sweepUnordered(deps),
    unrecorded: sweepUnrecorded(deps),
    reservations: deleteReservationsBefore(deps.db, deps.now().toISOString()),
    queue: sweepLog(deps),
    farewells: sweepFarewells(deps),
    photos: sweepShopPhotos(deps),
    reportPhotos: sweepReportPhotos(deps),
  };
  const tellFailure = (name: string) => (error: unknown) =>
    deps.log.error({ err: error }, `sweep of ${name} failed`);
  await Promise.all(Object.entries(jobs).map(([name, job]) => job.catch(tellFailure(name))));
}

/** Removes what the file store keeps of uploads that were never recorded, because their server died or failed. */
function sweepUnrecorded({ db, files }: Pick<Deps, "db" | "files">): Promise<void> {
  const tests = [isFileRecorded, isReportPhoto, isShopPhoto];
  return files.dropUnrecorded(async (key) => {
    for (const isRecorded of tests) if (await isRecorded(db, key)) return true;
    return false;
  });
}
