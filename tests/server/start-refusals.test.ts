import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { readConfig } from "#server/config.ts";
import { startServer } from "#server/server.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { type TestStore, tempStore } from "../setup/test-store.ts";

async function runningStore(): Promise<TestStore> {
  const store = await tempStore();
  return store;
}

/** Starts the server as an operator does; returns its exit code and output. */
async function refusal(env: Record<string, string>): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, ["dist/server/main.js"], {
    env: { ...BARE_ENVIRONMENT, PORT: "0", ...env },
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  return { code, said };
}

const ONE_LINE = /^Print Store cannot start: [^\n]+\n$/;

/** Why a server in this process does not start; the first test and that of the secret show how the command reports it. */
async function reasonOf(env: Record<string, string>): Promise<string> {
  const config = readConfig({ PORT: "0", LOG_LEVEL: "error", SOFFICE: "off", ...env });
  const { message } = await startServer(config).then(
    (server) => server.stop().then(() => ({ message: "it started" })),
    (error) => error,
  );
  expect(message).toMatch(/^[^\n]+$/);
  return message;
}

/** SQLite deletes the write-ahead log when the last connection to the file is closed. */
async function isDatabaseOpen(dataDir: string, name = "store.sqlite"): Promise<boolean> {
  return (await readdir(dataDir)).includes(`${name}-wal`);
}

test("a data folder in use by another server is refused with one line", async () => {
  const store = await runningStore();
  const { code, said } = await refusal({ DATA_DIR: store.dataDir });
  expect(code).toBe(1);
  expect(said).toMatch(ONE_LINE);
  expect(said).toContain(`DATA_DIR: another server uses ${store.dataDir}`);
});

test("a data folder can be used once its server has stopped", async () => {
  const store = await runningStore();
  const config = readConfig({ DATA_DIR: store.dataDir, PORT: "0", LOG_LEVEL: "error" });
  await expect(startServer(config)).rejects.toThrow(/another server/);
  await store.stop();
  const next = await startServer(config);
  await next.stop();
});

test("a database migrated by newer code is refused with one line", async () => {
  const store = await runningStore();
  const other = await runningStore();
  const url = `file:${store.dataDir}/other.sqlite`;
  const config = readConfig({
    DATA_DIR: `${other.dataDir}/new`,
    DATABASE_URL: url,
    PORT: "0",
    LOG_LEVEL: "error",
  });
  await (await startServer(config)).stop();
  const { db, close } = await openDatabase(url);
  await db
    .withTables<{ kysely_migration: { name: string; timestamp: string } }>()
    .insertInto("kysely_migration")
    .values({ name: "2099-01-01-later", timestamp: "2099-01-01T00:00:00.000Z" })
    .execute();
  await close();
  expect(await reasonOf({ DATA_DIR: config.dataDir, DATABASE_URL: url })).toMatch(
    /^The database \S+ is newer than this code: it has had the migration 2099-01-01-later/,
  );
  expect(await isDatabaseOpen(store.dataDir, "other.sqlite")).toBe(false);
});

test("a secret that is too short is refused with one line", async () => {
  const { code, said } = await refusal({ SECRET: "short" });
  expect(code).toBe(1);
  expect(said).toMatch(ONE_LINE);
  expect(said).toContain("SECRET: must be at least 32 characters long");
});

test.each(["too short", "Password123!"])(
  "a weak ADMIN_PASSWORD is refused at the first start with one line that names it: %s",
  async (password) => {
    const admin = { ADMIN_EMAIL: "boss@shop.example", ADMIN_PASSWORD: password };
    const reason = await reasonOf({ DATA_DIR: await tempFolder(), ...admin });
    expect(reason).toMatch(/^ADMIN_PASSWORD: /);
    expect(reason).not.toContain(password);
  },
);

test("an address that is taken, and one that is not this machine's, are refused with one line that names the settings", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const DATA_DIR = await tempFolder();

  expect(await reasonOf({ DATA_DIR, PORT: String(port) })).toBe(
    `PORT: another program listens at 127.0.0.1:${port}`,
  );
  expect(await reasonOf({ DATA_DIR, HOST: "192.0.2.1" })).toMatch(/^HOST, PORT: /);
  expect(await isDatabaseOpen(DATA_DIR)).toBe(false);
});

test("a data folder that cannot be made or written is refused with one line that names it", async () => {
  const file = join(await tempFolder(), "file");
  await writeFile(file, "");
  const taken = join(await tempFolder(), "data");
  await mkdir(join(taken, "server.lock"), { recursive: true });
  for (const DATA_DIR of [file, taken])
    expect(await reasonOf({ DATA_DIR })).toContain(`DATA_DIR: ${DATA_DIR} cannot be written: `);
});

test("a SOFFICE that is no program is refused with a message that names it", async () => {
  const DATA_DIR = await tempFolder();
  const file = join(DATA_DIR, "soffice");
  await writeFile(file, "");
  for (const SOFFICE of [DATA_DIR, file]) {
    const start = startServer(readConfig({ DATA_DIR, SOFFICE, PORT: "0", LOG_LEVEL: "error" }));
    await expect(start.then((server) => server.stop())).rejects.toThrow(`SOFFICE: ${SOFFICE} cannot be run`);
    expect(await isDatabaseOpen(DATA_DIR)).toBe(false);
  }
});

test.each([
  ["does not run", "postgres://store@127.0.0.1:9/store", "connect ECONNREFUSED 127.0.0.1:9"],
  ["has two addresses and does not run", "postgres://store@localhost:9/store", "ECONNREFUSED"],
  ["has an unreadable address", "postgres://store@127.0.0.1:port/store", "Invalid URL"],
])("a PostgreSQL that %s is refused with one line that names the setting", async (_what, url, reason) => {
  const message = await reasonOf({ DATA_DIR: await tempFolder(), DATABASE_URL: url });
  expect(message).toMatch(/^DATABASE_URL: no connection to PostgreSQL: /);
  expect(message).toContain(reason);
});

test("a file that is no database is refused with one line that names the setting and the file", async () => {
  const path = join(await tempFolder(), "store.sqlite");
  await writeFile(path, "a table of orders, but not of SQLite".repeat(100));
  expect(await reasonOf({ DATA_DIR: await tempFolder(), DATABASE_URL: `file:${path}` })).toContain(
    `DATABASE_URL: ${path} cannot be opened: file is not a database`,
  );
});
