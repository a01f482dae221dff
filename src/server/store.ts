import { join } from "node:path";
import pino from "pino";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { createSessionStore } from "./accounts/accounts.sessions.ts";
import { type Config, listeningUrl } from "./config.ts";
import type { Deps } from "./context.ts";
import { createDiskStore } from "./files/files.disk-store.ts";
import { createPdfInspector } from "./files/pdf.pool.ts";
import { createKeyring } from "./keyring.ts";
import { createLimits } from "./limits.ts";
import { startMail } from "./mail/mail.start.ts";
import { loadSecret } from "./secret.ts";
import { startSweeps } from "./sweeps.ts";

export interface Store {
  deps: Deps;
  /** Says where the store answers when no PUBLIC_URL is set; known once it listens. */
  setListeningUrl(url: string): void;
  /** Ends the workers once what they are doing is done, and closes the database. */
  close(): Promise<void>;
}

/** Puts the store together: a migrated database, its workers and everything that a request needs. */
export async function openStore(config: Config, now: () => Date = () => new Date()): Promise<Store> {
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const database = openDatabase(config.databaseUrl);
  const { db, readDb } = database;
  await migrate(db);
  const pdf = createPdfInspector();
  const mail = startMail({ config, db, log, now });
  let url = listeningUrl(config.host, config.port);
  const deps: Deps = {
    config,
    db,
    readDb,
    log,
    now,
    keyring: createKeyring(config.secret ?? (await loadSecret(config.dataDir))),
    sessions: createSessionStore(db, readDb, now),
    limits: createLimits(config.rateLimitScale),
    files: await createDiskStore(join(config.dataDir, "files")),
    pdf,
    wakeMail: () => mail.wake(),
    publicUrl: () => config.publicUrl ?? url,
  };
  const sweeps = startSweeps(deps);
  return {
    deps,
    setListeningUrl(actual) {
      url = actual;
    },
    async close() {
      await Promise.all([sweeps.stop(), mail.stop(), pdf.close()]);
      await database.close();
    },
  };
}
