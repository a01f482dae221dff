import { dirname, join, resolve } from "node:path";
import { migrate } from "#db/migrate.ts";
import { type Database, databasePath, openDatabase } from "#db/open.ts";
import { onCommit } from "#db/transaction.ts";
import { arePasswordsWaiting } from "./accounts/passwords.ts";
import { deleteExpiredPending } from "./accounts/second-factor.queries.ts";
import { createSessionStore } from "./accounts/sessions.ts";
import { type Config, listeningUrl } from "./config.ts";
import type { Deps } from "./context.ts";
import { startColourChecks, startEraser } from "./files/files.jobs.ts";
import { isFileRecorded, releaseFiles } from "./files/files.queries.ts";
import { sweepUnordered } from "./files/files.service.ts";
import { createMalwareScanner } from "./files/malware-scanner.ts";
import { createPdfInspector } from "./files/pdf/inspector.ts";
import { createPrintCopier } from "./files/pdf/print-copies.service.ts";
import { deleteReservationsBefore, releaseReservations } from "./files/room.queries.ts";
import { openFileStore, settleStorageLocation } from "./files/storage/location.service.ts";
import type { FileStore } from "./files/storage/storage.types.ts";
import { watchStore } from "./health/health.http.ts";
import { DiskRoom } from "./http/disk-room.ts";
import { createLimits } from "./http/rate-limit.ts";
import { LiveStreams } from "./http/streams.ts";
import { createKeyring, loadSecret } from "./lib/crypto.ts";
import { IN_DATA_DIR } from "./lib/data-dir.ts";
import { createLog } from "./lib/log.ts";
import { createMetrics } from "./lib/metrics.ts";
import { releaseMails } from "./mail/mail.queries.ts";
import { deleteOldAccountDeletedMails } from "./mail/mail.service.ts";
import { startMail } from "./mail/mail.worker.ts";
import { startPrintedFilesJob } from "./orders/board/printed-files.jobs.ts";
import { reindexStudent } from "./orders/board/search-words.ts";
import { EventReader, sweepLog } from "./orders/events/events.service.ts";
import { isPhotoRecorded as isReportPhoto } from "./orders/reprints/photos.queries.ts";
import { sweepReportPhotos } from "./orders/reprints/photos.service.ts";
import { createSheetRenderer } from "./printing/sheets.service.ts";
import { isPhotoRecorded as isShopPhoto } from "./shops/photos.queries.ts";
import { deleteUnusedShopPhotos } from "./shops/photos.service.ts";
import { createCatalogue, createShopCache } from "./shops/shop-cache.ts";

export interface Store {
  deps: Deps;
  /** Says where the store answers when no PUBLIC_URL is set; known once it listens. */
  setListeningUrl(url: string): void;
  /** Says on /readyz that requests should go elsewhere. */
  announceLeaving(): void;
  /** Ends the streams that would go on for as long as their readers do. */
  announceClosing(): void;
  /** Ends the workers once what they are doing is done, and closes the database. */
  close(): Promise<void>;
}

/** Puts the store together: a migrated database, its workers and everything that a request needs. */
export async function openStore(config: Config, now: () => Date = () => new Date()): Promise<Store> {
  const log = createLog(config.logLevel);
  const database = await openDatabase(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    statementMs: config.databaseStatementMs,
    isCrowded: arePasswordsWaiting,
  });
  const { db, readDb } = database;
  const files = await openHome(database, config, { log, now }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const diskRoom = new DiskRoom(config.dataDir, config.minFreeBytes, {
    isLimited: config.rateLimitScale > 0,
  });
  const metrics = createMetrics();
  const pdf = createPdfInspector(config.rateLimitScale);
  const sheets = createSheetRenderer(config.rateLimitScale);
  const mail = startMail({ config, db, log, now });
  const packsDir = join(config.dataDir, IN_DATA_DIR.packs);
  // Half of what uploads leave: a disk that they have filled can still be emptied by printing.
  const packRoom = new DiskRoom(config.dataDir, config.minFreeBytes / 2);
  const printCopies = await createPrintCopier(packsDir, packRoom, config.rateLimitScale);
  const eraser = startEraser({ db, files, now, log });
  const closing = new AbortController();
  const leaving = new AbortController();
  const colourChecks = startColourChecks({ db, readDb, files, pdf, now, log, closing: closing.signal });
  const keyring = createKeyring(config.secret ?? (await loadSecret(config.dataDir)));
  const orderEvents = new EventReader({ readDb, log });
  const catalogue = createCatalogue(database);
  let url = listeningUrl(config.host, config.port);
  const deps: Deps = {
    config,
    db,
    readDb,
    log,
    metrics,
    now,
    keyring,
    sessions: createSessionStore(db, readDb, now, config.publicUrl),
    catalogue,
    shopCache: createShopCache({ readDb, catalogue }),
    limits: createLimits({ db, now, keyring }, config.rateLimitScale),
    files,
    diskRoom,
    scanner: createMalwareScanner(config.clamd, log),
    pdf,
    printCopies,
    sheets,
    onProfileChange: reindexStudent,
    orderEvents,
    streams: new LiveStreams(),
    closing: closing.signal,
    leaving: leaving.signal,
    publicUrl: () => config.publicUrl ?? url,
  };
  onCommit(db, {
    sendMails: () => mail.runNow(),
    eraseFiles: () => eraser.runNow(),
    checkColours: () => colourChecks.runNow(),
    notifyFollowers: () => orderEvents.notify(),
  });
  watchStore(deps);
  const sweeps = startSweeps(deps);
  const printedFiles = startPrintedFilesJob(deps);
  database.cluster?.onQueueLog(() => orderEvents.notify());
  return {
    deps,
    setListeningUrl(actual) {
      url = actual;
    },
    announceLeaving: () => leaving.abort(),
    announceClosing: () => closing.abort(),
    async close() {
      closing.abort();
      await Promise.all([
        sweeps.stop(),
        printedFiles.stop(),
        mail.stop(),
        eraser.stop(),
        colourChecks.stop(),
        orderEvents.stop(),
        pdf.close(),
        printCopies.close(),
        sheets.close(),
      ]);
      metrics.close();
      await database.close();
    },
  };
}

/** Makes the database this store's own, of this code's version, and opens the home of its files. */
async function openHome(
  database: Database,
  config: Config,
  { log, now }: Pick<Deps, "log" | "now">,
): Promise<FileStore> {
  await joinCluster(database, config);
  await migrate(database.db);
  if (isAlone(database, config)) await takeBackLeases(database.db);
  await settleStorageLocation(database.db, config);
  return openFileStore(config, { db: database.db, log, now });
}

/** Files on one server's disk are out of the others' reach, so a server that keeps them there must be the only one. */
async function joinCluster({ cluster }: Database, { uploadThing }: Config): Promise<void> {
  const alone = uploadThing === null;
  if (!cluster || (await cluster.join({ alone }))) return;
  throw new Error(
    alone
      ? "DATABASE_URL: another server uses this database. Without UPLOADTHING_TOKEN there can be one only"
      : "DATABASE_URL: a server without UPLOADTHING_TOKEN uses this database, and must be the only one",
  );
}

/**
 * Whether no other server can be at work on this database: the lock on the data folder says so of a SQLite file in it,
 * and that of the cluster of PostgreSQL, where files are on this server's disk.
 */
function isAlone({ cluster }: Database, { uploadThing, databaseUrl, dataDir }: Config): boolean {
  return cluster ? uploadThing === null : resolve(dirname(databasePath(databaseUrl))) === resolve(dataDir);
}

/** A server that was killed leaves what it had in hand; nobody else waits for its leases to end. */
async function takeBackLeases(db: Database["db"]): Promise<void> {
  await releaseMails(db);
  await releaseFiles(db);
  await releaseReservations(db);
}

const EVERY_MS = 10 * 60 * 1000;

/**
 * Clears away what has run out, at the start and every ten minutes: sessions, counts of limits, uploads that were
 * never ordered or never recorded and the room of those that died with their server, old entries of the queue's log, the last mails to deleted accounts, photos of shops that
 * no shop shows, and photos of printing errors that are settled.
 */
function startSweeps(deps: Deps): { stop(): Promise<void> } {
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
    pendingLogins: deleteExpiredPending(deps.db, deps.now().toISOString()),
    limits: deps.limits.sweepExpired(),
    uploads: sweepUnordered(deps),
    unrecorded: sweepUnrecorded(deps),
    reservations: deleteReservationsBefore(deps.db, deps.now().toISOString()),
    queue: sweepLog(deps),
    lastMails: deleteOldAccountDeletedMails(deps),
    photos: deleteUnusedShopPhotos(deps),
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
