import { existsSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Database } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { databasePath, isPostgresUrl, openDatabase } from "#db/open.ts";
import { onCommit } from "#db/transaction.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import { deleteExpiredCodes } from "./accounts/codes.queries.ts";
import { MINIMUM_ANSWER_MS } from "./accounts/login-attempts.ts";
import { deleteExpiredPending } from "./accounts/second-factor.queries.ts";
import { createSessionStore } from "./accounts/sessions.ts";
import { deleteAbandonedSignups } from "./accounts/signup.service.ts";
import { createVisitStore } from "./accounts/visits.service.ts";
import { type Config, listeningUrl } from "./config.ts";
import { updateMessageEmails } from "./contact/contact.queries.ts";
import type { Deps } from "./context.ts";
import { startEraser, startPageChecks } from "./files/files.jobs.ts";
import { endAllLeases, isFileRecorded } from "./files/files.queries.ts";
import { deleteUnordered } from "./files/files.service.ts";
import { createMalwareScanner } from "./files/malware-scanner.ts";
import { createOfficeConverter, findSoffice, type OfficeConverter } from "./files/office-converter.ts";
import { createPdfInspector, type PdfInspector } from "./files/pdf/inspector.ts";
import { createPrintCopier } from "./files/pdf/print-copies.service.ts";
import { deleteReservationsBefore, releaseReservations } from "./files/quota.queries.ts";
import type { FileStore } from "./files/storage/file-store.ts";
import { checkStorageLocation, openFileStore } from "./files/storage/location.service.ts";
import { addStoreMetrics } from "./health/health.http.ts";
import { DiskSpace } from "./http/disk-space.ts";
import { createLimits } from "./http/rate-limit.ts";
import { Downloads, LiveStreams } from "./http/streams.ts";
import { createKeyring, loadSecret } from "./lib/crypto.ts";
import { IN_DATA_DIR } from "./lib/data-dir.ts";
import { startJob } from "./lib/jobs.ts";
import { createLog } from "./lib/log.ts";
import { createMetrics } from "./lib/metrics.ts";
import { releaseMailLeases } from "./mail/mail.queries.ts";
import { deleteShortLivedMails } from "./mail/mail.service.ts";
import { startMail } from "./mail/mail.worker.ts";
import { deletePrintedFiles } from "./orders/board/moves.service.ts";
import { reindexStudent } from "./orders/board/search-words.ts";
import { deleteOldEvents, EventReader } from "./orders/live/live.service.ts";
import { updateOrderEmails } from "./orders/orders.queries.ts";
import { deleteUnusedReportPhotos } from "./orders/reprints/report-photos.service.ts";
import { isReportPhoto } from "./orders/reprints/reprints.queries.ts";
import { createSheetRenderer, type SheetRenderer } from "./printing/sheets.service.ts";
import { endDueVisits } from "./privacy/privacy.service.ts";
import { findSealedKeys } from "./push/push.queries.ts";
import {
  areSealedBy,
  loadVapidKeys,
  type SendPush,
  sendOverHttps,
  startPushWorker,
} from "./push/push.worker.ts";
import { isShopPhoto } from "./shops/photos.queries.ts";
import { deleteUnusedShopPhotos } from "./shops/photos.service.ts";
import { createCatalogue, createShopCache } from "./shops/shop-cache.ts";
import { deleteEndedInvitations } from "./staff/invitations.service.ts";
import { deleteInvitationsTo } from "./staff/staff.queries.ts";

export interface Store {
  deps: Deps;
  /** Sets the origin to use when PUBLIC_URL is unset; known once the server listens. */
  setListeningUrl(url: string): void;
  /** Makes /readyz report that requests should go to another server. */
  startDraining(): void;
  /** Ends long-lived streams. */
  startClosing(): void;
  /** Stops the workers, waiting for work in progress, and closes the database. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Sends a request to a browser's push service. */
  sendPush?: SendPush;
  /** What opens PDFs and what draws sheets; by default the store starts its own. */
  pdf?: PdfInspector;
  sheets?: SheetRenderer;
  /** Called where another server uses the database of one that must be the only one: it must not go on. */
  onTaken?: () => void;
}

/** Creates the parts of the server: a migrated database, its workers and everything that a request needs. */
export async function openStore(
  config: Config,
  now: () => Date = () => new Date(),
  { sendPush = sendOverHttps, ...options }: StoreOptions = {},
): Promise<Store> {
  const log = createLog(config.logLevel);
  refuseHalfRestored(config);
  // Half of the reserve that uploads must leave, so that a disk filled by uploads can still be emptied by printing.
  const packSpace = new DiskSpace(config.dataDir, config.minFreeBytes / 2);
  const office = await openConverter(config, { log, space: packSpace });
  const database = await openDatabase(config.databaseUrl, {
    poolSize: config.databasePoolSize,
    statementMs: config.databaseStatementMs,
  });
  const { db, readDb } = database;
  const onTaken = () => {
    log.error("another server uses this database since the connection to it was lost. This one ends");
    options.onTaken?.();
  };
  const files = await openStorage(database, config, { log, now, onTaken }).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const diskSpace = new DiskSpace(config.dataDir, config.minFreeBytes, {
    isLimited: config.rateLimitScale > 0,
  });
  const metrics = createMetrics();
  const pdf = options.pdf ?? createPdfInspector(config.rateLimitScale);
  const sheets = options.sheets ?? createSheetRenderer(config.rateLimitScale);
  const mail = startMail({ config, db, log, now });
  const packsDir = join(config.dataDir, IN_DATA_DIR.packs);
  const printCopies = await createPrintCopier(packsDir, packSpace, config.rateLimitScale);
  const closing = new AbortController();
  const draining = new AbortController();
  const eraser = startEraser({ db, files, now, log, closing: closing.signal });
  const pageChecks = startPageChecks({ db, readDb, files, pdf, now, log });
  const keyring = createKeyring(config.secret ?? (await loadSecret(config.dataDir)));
  const pushKeys = await loadVapidKeys(db, keyring);
  const liveEvents = new EventReader({ readDb, log });
  const catalogue = createCatalogue(database);
  let url = listeningUrl(config.host, config.port);
  const deps: Deps = {
    config,
    db,
    readDb,
    log,
    metrics,
    now,
    minimumAnswerMs: MINIMUM_ANSWER_MS,
    keyring,
    pushPublicKey: pushKeys.publicKey,
    sessions: createSessionStore(db, readDb, now, config.publicUrl),
    visits: createVisitStore(readDb, now),
    catalogue,
    shopCache: createShopCache({ readDb, catalogue, now }),
    limits: createLimits({ db, now, keyring }, config.rateLimitScale),
    files,
    diskSpace,
    scanner: createMalwareScanner(config.clamd, log),
    pdf,
    office,
    printCopies,
    sheets,
    onProfileChange: reindexStudent,
    async onEmailChange(trx, change) {
      await updateOrderEmails(trx, change);
      await updateMessageEmails(trx, change);
      // By its link somebody who was removed from the staff under the new address could return.
      await deleteInvitationsTo(trx, change.from);
    },
    liveEvents,
    streams: new LiveStreams(),
    downloads: new Downloads(),
    closing: closing.signal,
    draining: draining.signal,
    publicUrl: () => config.publicUrl ?? url,
  };
  const push = startPushWorker({ ...deps, keys: pushKeys, send: sendPush });
  onCommit(db, {
    sendMails: () => mail.runNow(),
    sendPushes: () => push.runNow(),
    eraseFiles: () => eraser.runNow(),
    checkFiles: () => pageChecks.runNow(),
    notifyFollowers: () => liveEvents.notify(),
  });
  addStoreMetrics(deps);
  const jobs = [
    startJob(deps, { failure: "cleanup failed", everyMs: CLEANUP_EVERY_MS, run: () => cleanUp(deps) }),
    startJob(deps, {
      failure: "the files of printed orders could not be deleted",
      everyMs: DUE_EVERY_MS,
      run: () => deletePrintedFiles(deps),
    }),
    startJob(deps, {
      failure: "visits at counters could not be ended",
      everyMs: DUE_EVERY_MS,
      run: () => endDueVisits(deps),
    }),
  ];
  database.cluster?.onLiveEvents(() => liveEvents.notify());
  return {
    deps,
    setListeningUrl(actual) {
      url = actual;
    },
    startDraining: () => draining.abort(),
    startClosing: () => closing.abort(),
    async close() {
      closing.abort();
      await Promise.all([
        ...jobs.map((job) => job.stop()),
        mail.stop(),
        push.stop(),
        eraser.stop(),
        pageChecks.stop(),
        liveEvents.stop(),
        pdf.close(),
        printCopies.close(),
        sheets.close(),
      ]);
      await database.close();
    },
  };
}

/** Throws where a restore was killed before it was complete: this start would make an empty store of it. */
function refuseHalfRestored({ dataDir, databaseUrl }: Config): void {
  if (isPostgresUrl(databaseUrl) || existsSync(databasePath(databaseUrl))) return;
  if (existsSync(join(dataDir, IN_DATA_DIR.restoring)))
    throw new Error(
      `DATA_DIR: a restore into ${dataDir} was stopped before its end. Run it again, or empty the folder`,
    );
}

/** Migrates the database, ends the leases of a dead server, and opens the file store. */
async function openStorage(
  database: Database,
  config: Config,
  { log, now, onTaken }: Pick<Deps, "log" | "now"> & { onTaken: () => void },
): Promise<FileStore> {
  await joinCluster(database, config, onTaken);
  await migrate(database.db);
  await requireOwnSecret(database, config);
  if (isOnlyServer(database, config)) await releaseLeases(database.db);
  await checkStorageLocation(database.db, config);
  return openFileStore(config, { db: database.db, log, now });
}

/**
 * Throws where the settings name the data folder of another store, whose photos the cleanup would delete, and where a store
 * whose database is elsewhere would get a new secret.
 */
async function requireOwnSecret({ db }: Database, config: Config): Promise<void> {
  const { secret, dataDir } = config;
  const sealed = secret ? undefined : await findSealedKeys(db);
  if (!sealed) return;
  const isThere = existsSync(join(dataDir, IN_DATA_DIR.secret));
  if (!isThere && !isDatabaseInDataDir(config))
    throw new Error(
      `DATA_DIR: the secret of this store is not in ${dataDir}. Give the store its own folder, or a SECRET`,
    );
  if (isThere && !areSealedBy(createKeyring(await loadSecret(dataDir)), sealed))
    throw new Error(
      `DATA_DIR: the secret in ${dataDir} is not the one of this store. Give the store its own folder, or its SECRET`,
    );
}

function isDatabaseInDataDir({ databaseUrl, dataDir }: Config): boolean {
  return !isPostgresUrl(databaseUrl) && resolve(dirname(databasePath(databaseUrl))) === resolve(dataDir);
}

/** A server that stores files on its own disk must be the only one, because other servers cannot read them. */
async function joinCluster(
  { cluster }: Database,
  { uploadThing }: Config,
  onTaken: () => void,
): Promise<void> {
  const alone = uploadThing === null;
  if (!cluster || (await cluster.join({ alone, onTaken }))) return;
  throw new Error(
    alone
      ? "DATABASE_URL: another server uses this database. Without UPLOADTHING_TOKEN there can be one only"
      : "DATABASE_URL: a server without UPLOADTHING_TOKEN uses this database, and must be the only one",
  );
}

/**
 * Whether no other server can be using this database. For SQLite the lock on the data folder ensures it, for PostgreSQL
 * the cluster lock that a server with files on its disk holds.
 */
function isOnlyServer({ cluster }: Database, config: Config): boolean {
  return cluster ? config.uploadThing === null : isDatabaseInDataDir(config);
}

/** A server that was killed leaves leases behind; without this, the next start would wait until they expire. */
async function releaseLeases(db: Database["db"]): Promise<void> {
  await releaseMailLeases(db);
  await endAllLeases(db);
  await releaseReservations(db);
}

const CLEANUP_EVERY_MS = 10 * MINUTE_MS;
/** Short, because people are told the minute in which their files are deleted. */
const DUE_EVERY_MS = 20 * 1000;

/** Deletes what has expired; one failure keeps nothing else from being deleted. */
async function cleanUp(deps: Deps): Promise<void> {
  const jobs = {
    sessions: deps.sessions.deleteExpired(),
    pendingLogins: deleteExpiredPending(deps.db, deps.now().toISOString()),
    codes: deleteExpiredCodes(deps.db, deps.now().toISOString()),
    limits: deps.limits.deleteExpired(),
    signups: deleteAbandonedSignups(deps),
    invitations: deleteEndedInvitations(deps),
    uploads: deleteUnordered(deps),
    unrecorded: deleteUnrecordedFiles(deps),
    reservations: deleteReservationsBefore(deps.db, deps.now().toISOString()),
    liveEvents: deleteOldEvents(deps),
    shortLivedMails: deleteShortLivedMails(deps),
    photos: deleteUnusedShopPhotos(deps),
    reportPhotos: deleteUnusedReportPhotos(deps),
  };
  const logFailure = (name: string) => (error: unknown) =>
    deps.log.error({ err: error }, `cleanup of ${name} failed`);
  await Promise.all(Object.entries(jobs).map(([name, job]) => job.catch(logFailure(name))));
}

/** Deletes stored files without a database row, whose upload failed or whose server died. */
function deleteUnrecordedFiles({ db, files }: Pick<Deps, "db" | "files">): Promise<void> {
  const tests = [isFileRecorded, isReportPhoto, isShopPhoto];
  return files.removeAbandoned(async (key) => {
    for (const isRecorded of tests) if (await isRecorded(db, key)) return true;
    return false;
  });
}

/** Null where the settings or the machine have no LibreOffice, or what was found by chance could not be isolated. */
async function openConverter(
  { soffice, maxUploadBytes, rateLimitScale }: Config,
  { log, space }: Pick<Deps, "log"> & { space: DiskSpace },
): Promise<OfficeConverter | null> {
  const path = typeof soffice === "string" || !soffice ? soffice : await findSoffice(soffice.searchPath);
  if (!path) return null;
  if (!(await isProgram(path))) throw new Error(`SOFFICE: ${path} cannot be run`);
  return createOfficeConverter({
    soffice: path,
    isWanted: typeof soffice === "string",
    maxBytes: maxUploadBytes,
    scale: rateLimitScale,
    space,
    log,
  });
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK)
    .then(() => stat(path))
    .then(
      (found) => found.isFile(),
      () => false,
    );
}
