import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { readConfig } from "#server/config.ts";
import { AppError } from "#server/errors.ts";
import { createPdfInspector } from "#server/files/pdf/inspector.ts";
import { CLIENT_TIMEOUTS, type ClientTimeouts } from "#server/http/limits.ts";
import { createSheetRenderer } from "#server/printing/sheets.service.ts";
import { type RunningServer, startServer } from "#server/server.ts";
import type { StoreOptions } from "#server/store.ts";
import { ApiClient } from "./api-client.ts";
import { TestClock } from "./test-clock.ts";
import { copiedDatabaseUrlFor, dropDatabaseOf } from "./test-database.ts";

export interface TestStore extends RunningServer {
  clock: TestClock;
  dataDir: string;
  /** A new visitor with its own cookie jar. */
  visitor(): ApiClient;
}

/**
 * The workers of all stores of this process that have no limits: to start some for each store, and again after each pause,
 * would take a tenth of the time of most tests.
 */
const inspector = createPdfInspector(0, undefined, 60_000);
const renderer = createSheetRenderer(0, 60_000);
function sharedWorkers(): StoreOptions {
  const end = Promise.withResolvers<never>();
  end.promise.catch(() => {});
  return {
    pdf: {
      ...inspector,
      // The store waits for its page checks when it stops.
      checkPages: (...file) => Promise.race([inspector.checkPages(...file), end.promise]),
      close: async () => end.reject(new AppError("UNAVAILABLE", "The store is restarting")),
    },
    sheets: { ...renderer, close: async () => {} },
  };
}

/** A busy machine may pause a test for longer than a client's connection stays open unused. */
const PATIENT_TIMEOUTS: ClientTimeouts = { ...CLIENT_TIMEOUTS, idle: 5 * 60_000 };

/** Settings that matter at the first start: without them a store begins where another has started once. */
const FIRST_SETTINGS = ["ADMIN_EMAIL", "ADMIN_PASSWORD", "NODE_ENV", "SEED_DEMO"];

/** Starts the whole store on a free port with a new data folder. `env` are settings. */
export async function startTestStore(
  env: Record<string, string> = {},
  timeouts = PATIENT_TIMEOUTS,
  clock = new TestClock(),
  options: StoreOptions = {},
): Promise<TestStore> {
  const dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  const folder = env.DATA_DIR ?? dataDir;
  const template = FIRST_SETTINGS.some((name) => name in env) ? "migrated" : "started";
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_URL: env.DATABASE_URL ?? (await copiedDatabaseUrlFor(folder, template)),
    PORT: "0",
    LOG_LEVEL: "error",
    RATE_LIMIT_SCALE: "0",
    SOFFICE: "off",
    ...env,
  });
  const workers = config.rateLimitScale === 0 ? sharedWorkers() : {};
  const server = await startServer(config, clock.now, timeouts, { ...workers, ...options });
  return {
    ...server,
    clock,
    dataDir,
    visitor: () => new ApiClient(server.url),
    async stop() {
      await server.stop();
      if (folder === dataDir) await dropDatabaseOf(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The store of the tests of a file or a describe block, which stops after the last of them. Takes what `startTestStore` takes. */
export function testStore(...settings: Parameters<typeof startTestStore>): TestStore {
  const store = {} as TestStore;
  beforeAll(async () => void Object.assign(store, await startTestStore(...settings)));
  afterAll(() => store.stop?.());
  return store;
}

/** A store of the running test alone, which stops after it. Takes what `startTestStore` takes. */
export async function tempStore(...settings: Parameters<typeof startTestStore>): Promise<TestStore> {
  const store = await startTestStore(...settings);
  onTestFinished(() => store.stop());
  return store;
}
