import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#db/open.ts";
import { readConfig } from "#server/config.ts";
import { startServer } from "#server/server.ts";
import { BARE_ENVIRONMENT } from "../setup/bare-environment.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

async function runningStore(): Promise<TestStore> {
  const store = await startTestStore();
  onTestFinished(() => store.stop());
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
  const { code, said } = await refusal({ DATA_DIR: config.dataDir, DATABASE_URL: url });
  expect(code).toBe(1);
  expect(said).toMatch(ONE_LINE);
  expect(said).toMatch(/The database \S+ is newer than this code: it has had the migration 2099-01-01-later/);
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
    const dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const settings = { DATA_DIR: dataDir, ADMIN_EMAIL: "boss@shop.example", ADMIN_PASSWORD: password };
    const { code, said } = await refusal(settings);
    expect(code).toBe(1);
    expect(said).toMatch(ONE_LINE);
    expect(said).toContain("cannot start: ADMIN_PASSWORD: ");
    expect(said).not.toContain(password);
  },
);
