import { dirname, join, resolve } from "node:path";
import { migrate } from "#db/migrate.ts";
import { type Database, databasePath, openDatabase } from "#db/open.ts";
import { arePasswordsWaiting } from "./accounts/accounts.password-threads.ts";
import { createSessionStore } from "./accounts/accounts.sessions.ts";
import { type Config, listeningUrl } from "./config.ts";
import type { Deps } from "./context.ts";
import { IN_DATA_DIR } from "./data-dir.ts";
import { DiskRoom } from "./disk-room.ts";
import { startColourChecks, startEraser } from "./files/files.chores.ts";
import { settleHome } from "./files/files.home.service.ts";
import { openFileStore } from "./files/files.open-store.ts";
import { createPrintCopier } from "./files/files.printing.service.ts";
import { releaseReservations } from "./files/files.room-queries.ts";
import type { FileStore } from "./files/files.store.ts";
import { releaseFiles } from "./files/files.taking-queries.ts";
import { createPdfInspector } from "./files/pdf.inspector.ts";
import { LiveStreams } from "./http/streams.ts";
import { createKeyring } from "./keyring.ts";
import { createLimits } from "./limits/limits.service.ts";
import { createLog } from "./log.ts";
import { releaseMails } from "./mail/mail.queries.ts";
import { startMail } from "./mail/mail.start.ts";
import { createMalwareScanner } from "./malware-scanner.ts";
import { createMetrics } from "./metrics.ts";
import { watchStore } from "./operations/operations.service.ts";
import { QueueNews } from "./queue/queue.bell.ts";
import { startPrintedFilesJob } from "./queue/queue.printed-files.jobs.ts";
import { reindexStudent } from "./queue/queue.words.service.ts";
import { loadSecret } from "./secret.ts";
import { createSheetRenderer } from "./sheets/sheets.service.ts";
import { createCatalogue } from "./shops/shops.catalogue.ts";
import { createShopDirectory } from "./shops/shops.directory.ts";
import { startSweeps } from "./sweeps.ts";

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
  const queueNews = new QueueNews({ readDb, log });
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
    directory: createShopDirectory({ readDb, catalogue }),
    limits: createLimits({ db, now, keyring }, config.rateLimitScale),
    files,
    diskRoom,
    scanner: createMalwareScanner(config.clamd, log),
    pdf,
    printCopies,
    sheets,
    onProfileChange: reindexStudent,
    wakeMail: () => mail.wake(),
    queueBell: queueNews,
    streams: new LiveStreams(),
    wakeEraser: () => eraser.wake(),
    wakeColourChecks: () => colourChecks.wake(),
    closing: closing.signal,
    leaving: leaving.signal,
    publicUrl: () => config.publicUrl ?? url,
  };
  watchStore(deps);
  const sweeps = startSweeps(deps);
  const printedFiles = startPrintedFilesJob(deps);
  database.cluster?.onQueueLog(() => queueNews.ring());
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
        queueNews.stop(),
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
  await settleHome(database.db, config);
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
