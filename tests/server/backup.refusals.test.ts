import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { watch } from "node:fs";
import { cp, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { storedPath } from "#server/files/storage/file-store.ts";
import { freeBytes } from "#server/http/disk-space.ts";
import { lockDataDir } from "#server/lib/data-dir.ts";
import { makeBackup } from "../../scripts/backup/make-backup.ts";
import { restoreBackup } from "../../scripts/backup/restore-backup.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { backUp, refusalOf, restore, shopWithPhoto } from "./backup.scripts.ts";
import { changeSqlite } from "./migrate-to-postgres.scripts.ts";

let store: TestStore;
let fileId: string;
let backup: string;
beforeAll(async () => {
  store = await startTestStore();
  const { shopId } = await shopWithPhoto(store);
  ({ fileId } = await placeOrder(store, shopId));
  backup = `${store.dataDir}-backup`;
  await backUp(store.dataDir, backup);
});
afterAll(async () => {
  await store.stop();
  await rm(backup, { recursive: true, force: true });
});

// In this process; the test of PostgreSQL shows how both commands report it.
const whyNoBackup = (dataDir: string, folder: string, env: Record<string, string> = {}) =>
  reasonOf(makeBackup(folder, readConfig({ DATA_DIR: dataDir, ...env })));
const whyNothingRestored = (dataDir: string, env: Record<string, string> = {}, folder = backup) =>
  reasonOf(restoreBackup(folder, readConfig({ DATA_DIR: dataDir, ...env })));

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const { message } = await work.then(() => ({ message: "nothing was refused" })).catch((error) => error);
  expect(message).toMatch(/^[^\n]+$/);
  return message;
}

test.each(["missing", "truncated", "modified"])(
  "a store with a %s file is not backed up, and nothing is left behind",
  async (fault) => {
    const [dataDir, parent] = [join(await tempFolder(), "data"), await tempFolder()];
    await cp(store.dataDir, dataDir, { recursive: true });
    const path = storedPath(join(dataDir, "files"), fileId);
    if (fault === "missing") await rm(path);
    if (fault === "truncated") await truncate(path, 100);
    if (fault === "modified") await changeByte(path);

    const reason = await whyNoBackup(dataDir, join(parent, "backup"));

    expect(reason).toMatch(new RegExp(`^The data folder is damaged: .*${fileId}`));
    expect(await readdir(parent)).toEqual([]);
  },
);

test("a store whose database is damaged, or whose photo of a printing error or a shop is missing or damaged, is not backed up", async () => {
  const folder = await tempFolder();
  const dataDir = join(folder, "data");
  await cp(store.dataDir, dataDir, { recursive: true });
  const reportPhoto = storedPath("files", "lost-photo");
  changeSqlite(
    dataDir,
    `pragma foreign_keys = off;
    insert into reprint_photos (id, owner_id, reprint_id, position, bytes, created_at)
    select 'lost-photo', id, 'report', 0, 9, '' from users limit 1`,
  );
  expect(await whyNoBackup(dataDir, join(folder, "backup"))).toBe(
    `The data folder is damaged: ${reportPhoto}, which report needs, is missing`,
  );
  await mkdir(dirname(join(dataDir, reportPhoto)), { recursive: true });
  await writeFile(join(dataDir, reportPhoto), "half");
  expect(await whyNoBackup(dataDir, join(folder, "backup"))).toBe(
    `The data folder is damaged: ${reportPhoto} is not what was uploaded`,
  );
  changeSqlite(dataDir, "delete from reprint_photos");
  const [photo = ""] = await readdir(join(dataDir, "shop-images"));
  await rm(join(dataDir, "shop-images", photo));
  expect(await whyNoBackup(dataDir, join(folder, "backup"))).toBe(
    `The data folder is damaged: shop-images/${photo} is missing`,
  );
  changeSqlite(
    dataDir,
    "pragma ignore_check_constraints = on; update shops set image = '', rating_tenths = rating_tenths + 100",
  );
  expect(await whyNoBackup(dataDir, join(folder, "backup"))).toBe(
    "The database is damaged: CHECK constraint failed in shops",
  );
  changeSqlite(dataDir, "pragma foreign_keys = off; delete from shops");
  expect(await whyNoBackup(dataDir, join(folder, "backup"))).toMatch(
    /^The database is damaged: a row of \w+ refers to one of shops that is not there$/,
  );
  expect(await readdir(folder)).toEqual(["data"]);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a backup that is stopped by %s says so and leaves none of the store's documents behind",
  async (signal) => {
    const folder = await tempFolder();
    const dataDir = join(folder, "data");
    await cp(store.dataDir, dataDir, { recursive: true });
    changeSqlite(
      dataDir,
      `create table padding as
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 60)
      select randomblob(1000000) as bytes from numbers`,
    );
    const parent = join(folder, "backups");
    await mkdir(parent);
    const script = join(import.meta.dirname, "../../scripts/backup.ts");
    const env = { ...BARE_ENVIRONMENT, DATA_DIR: dataDir };
    const child = spawn(process.execPath, [script, join(parent, "today")], { env });
    const output = Promise.all([text(child.stderr), once(child, "exit")]);

    await expect.poll(() => readdir(parent), { interval: 5 }).not.toEqual([]);
    child.kill(signal);

    const [said, [code]] = await output;
    expect({ said, code }).toEqual({ said: `No backup was made: ${signal} stopped it\n`, code: 1 });
    expect(await readdir(parent)).toEqual([]);
  },
);

test("neither a backup nor a restore works on PostgreSQL, which has tools of its own", async () => {
  const reason =
    "DATABASE_URL: this works on a SQLite file only; PostgreSQL has tools of its own (pg_dump)\n";
  const onPostgres = { DATABASE_URL: "postgres://localhost/store" };
  const folder = join(await tempFolder(), "backup");
  expect(await refusalOf(backUp(store.dataDir, folder, onPostgres))).toBe(`No backup was made: ${reason}`);
  expect(await refusalOf(restore(backup, await tempFolder(), onPostgres))).toBe(
    `Nothing was restored: ${reason}`,
  );
});

test("a backup on the store's own disk leaves half of MIN_FREE_MB, so that orders go on", async () => {
  const folder = join(await tempFolder(), "backup");
  expect(await whyNoBackup(store.dataDir, folder, { MIN_FREE_MB: "1000000000" })).toBe(
    "its disk has too little room. On the disk of DATA_DIR, half of MIN_FREE_MB must stay free for orders",
  );
  expect(await readdir(dirname(folder))).toEqual([]);
  const free = await freeBytes(dirname(folder));
  const MIN_FREE_MB = String(Math.floor((1.5 * free) / 1e6));
  await makeBackup(folder, readConfig({ DATA_DIR: store.dataDir, MIN_FREE_MB }));
  expect(await readdir(folder)).toContain("manifest.json");
});

test("a backup on another disk may fill that one, but needs room for the database", async () => {
  const other = await mkdtemp(
    join(tmpdir().startsWith("/dev/shm") ? "/var/tmp" : "/dev/shm", "print-store-"),
  );
  onTestFinished(() => rm(other, { recursive: true, force: true }));
  const dataDir = join(await tempFolder(), "data");
  await cp(store.dataDir, dataDir, { recursive: true });
  const MIN_FREE_MB = "1000000000";
  await makeBackup(join(other, "backup"), readConfig({ DATA_DIR: dataDir, MIN_FREE_MB }));
  expect(await readdir(join(other, "backup"))).toContain("manifest.json");

  await growSqlite(dataDir);
  expect(await whyNoBackup(dataDir, join(other, "next"))).toContain("its disk has too little room");
});

test("a backup neither overwrites anything nor starts without a store", async () => {
  const before = await readdir(backup);
  expect(await whyNoBackup(store.dataDir, backup)).toContain(" is there already");
  expect(await readdir(backup)).toEqual(before);

  const parent = await tempFolder();
  expect(await whyNoBackup(join(parent, "nothing"), join(parent, "backup"))).toMatch(
    /^There is no database at /,
  );
  expect(await readdir(parent)).toEqual([]);
});

const DAMAGE: [string, (folder: string) => Promise<unknown>, RegExp][] = [
  [
    "a file with one byte changed",
    async (folder) => changeByte(await someFile(folder)),
    /files\/stored\/.* is not as it was/,
  ],
  ["a file too few", async (folder) => rm(await someFile(folder)), /files\/stored\/.* is missing/],
  [
    "a database cut short",
    (folder) => truncate(join(folder, "store.sqlite"), 8192),
    /store.sqlite is not as it was/,
  ],
  [
    "half a manifest",
    (folder) => truncate(join(folder, "manifest.json"), 500),
    /manifest.json cannot be read/,
  ],
  ["a manifest of a later format", changeFormat, /manifest.json cannot be read/],
  ["no manifest", (folder) => rm(join(folder, "manifest.json")), /there is no manifest.json/],
  ["a manifest that leaves a file out", forgetFile, /files\/stored\/.*, which its database counts on/],
  ["a file that is not the uploaded one", replaceFile, /files\/stored\/.*, which its database counts on/],
  ["a manifest that leads out of the folder", leadOut, /manifest.json cannot be read/],
  [
    "a database whose rows refer to nothing",
    breakReferences,
    /a row of \w+ refers to one of shops that is not there/,
  ],
  [
    "a database of newer code",
    addMigration("9999-later"),
    /newer than this code: .* the migration 9999-later/,
  ],
];

test.each(DAMAGE)(
  "a backup with %s is refused for a reason of one line, and nothing is restored",
  async (_what, damage, reason) => {
    const folder = join(await tempFolder(), "backup");
    await cp(backup, folder, { recursive: true });
    await damage(folder);
    const dataDir = join(await tempFolder(), "data");

    expect(await whyNothingRestored(dataDir, {}, folder)).toMatch(reason);
    expect(await readdir(dataDir).catch(() => [])).toEqual([]);
  },
);

test("a folder that is not empty is refused for a restore, with or without a running server", async () => {
  const other = await tempFolder();
  await writeFile(join(other, "thesis.txt"), "mine");
  for (const dataDir of [other, store.dataDir]) {
    const before = await readdir(dataDir);
    expect(await whyNothingRestored(dataDir)).toMatch(/^DATA_DIR: .* is not empty/);
    expect(await readdir(dataDir)).toEqual(before);
  }
});

test.each(["", "-wal", "-journal"])(
  "a database that is there already stays as it is (%s)",
  async (suffix) => {
    const [dataDir, elsewhere] = [await tempFolder(), await tempFolder()];
    const database = join(elsewhere, "prints.sqlite");
    await writeFile(database + suffix, "mine");
    expect(await whyNothingRestored(dataDir, { DATABASE_URL: `file:${database}` })).toBe(
      `DATABASE_URL: there is ${database}${suffix} already`,
    );
    expect(await readFile(database + suffix, "utf8")).toBe("mine");
    expect(await readdir(dataDir)).toEqual([]);
  },
);

test("a restore stops if a server starts meanwhile", async () => {
  const dataDir = await tempFolder();
  const unlock = lockDataDir(dataDir);
  onTestFinished(unlock);
  expect(await whyNothingRestored(dataDir)).toMatch(/^DATA_DIR: another server uses /);
});

/** A copy of the backup, and what puts `content` in the place of its secret once a restore has begun to check that. */
async function backupThatChanges() {
  const folder = join(await tempFolder(), "backup");
  await cp(backup, folder, { recursive: true });
  const secret = join(folder, "secret");
  const checked = await readFile(secret);
  await rm(secret);
  await promisify(execFile)("mkfifo", [secret]);
  return {
    folder,
    checked,
    async change(content: Uint8Array, then?: () => Promise<void>) {
      // Opened once the restore reads at the other end.
      const pipe = await open(secret, "w");
      await then?.();
      await rm(secret);
      await writeFile(secret, content);
      await pipe.writeFile(checked);
      await pipe.close();
    },
  };
}

test("a restore overwrites no store that came into its folder while it checked the backup", async () => {
  const dataDir = await tempFolder();
  const { folder, checked, change } = await backupThatChanges();
  const reason = whyNothingRestored(dataDir, {}, folder);
  await change(checked, () => writeFile(join(dataDir, "secret"), "of the other store"));

  expect(await reason).toMatch(/^DATA_DIR: .* is not empty/);
  expect(await readFile(join(dataDir, "secret"), "utf8")).toBe("of the other store");
});

test("a restore copies nothing that is not as it was when it checked the backup", async () => {
  const { folder, checked, change } = await backupThatChanges();
  const reason = whyNothingRestored(await tempFolder(), {}, folder);
  await change(checked.toReversed());
  expect(await reason).toBe("The backup is damaged: secret is not as it was written");
});

test("a restore that was killed when only its database was not in place can be run again", async () => {
  const dataDir = await tempFolder();
  const left = ["files/x", "secret", "shop-images/x", "restoring/x", "store.sqlite.restoring"];
  for (const path of left) {
    await mkdir(dirname(join(dataDir, path)), { recursive: true });
    await writeFile(join(dataDir, path), "of the killed one");
  }
  await restoreBackup(backup, readConfig({ DATA_DIR: dataDir }));
  const names = await readdir(dataDir, { recursive: true });
  expect(names.filter((name) => left.includes(name))).toEqual(["secret"]);
  for (const name of ["secret", "store.sqlite"])
    expect((await readFile(join(dataDir, name))).equals(await readFile(join(backup, name)))).toBe(true);
});

test("a killed restore is no empty store for a server, and does not prevent the next one, whose files only its account can read", async () => {
  const dataDir = await tempFolder();
  await mkdir(join(dataDir, "restoring/files"), { recursive: true });
  await writeFile(join(dataDir, "restoring/files/half"), "half");
  await writeFile(join(dataDir, "store.sqlite.restoring"), "half");
  // Killed while it moved the files to where they belong, before the database.
  await mkdir(join(dataDir, "files"));
  await writeFile(join(dataDir, "files/moved"), "of the killed one");
  // The folder is a disk of its own.
  await mkdir(join(dataDir, "lost+found"));

  const settings = { DATA_DIR: dataDir, DATABASE_URL: `file:${dataDir}/store.sqlite` };
  await expect(startTestStore(settings)).rejects.toThrow(
    `DATA_DIR: a restore into ${dataDir} was stopped before its end. Run it again, or empty the folder`,
  );
  const moved: (string | null)[] = [];
  const watcher = watch(dataDir, (_event, name) => void moved.push(name));
  onTestFinished(() => watcher.close());
  const said = await restore(backup, dataDir);
  expect(said).toContain(dataDir);
  expect(said, "its secret is in the backup").not.toContain("SECRET");

  const left = (await readdir(dataDir)).filter((name) => !/^(server\.lock|lost\+found)/.test(name));
  expect(left.toSorted()).toEqual(["files", "secret", "shop-images", "store.sqlite"]);
  // With the database the folder becomes a store, so it comes when the rest is there.
  const order = () => moved.filter((name) => name !== null && left.includes(name));
  await expect.poll(() => new Set(order()).size).toBe(4);
  expect(order().at(-1)).toBe("store.sqlite");
  expect(await readdir(join(dataDir, "files"))).toEqual(["stored"]);
  const modes = await Promise.all(left.map(async (name) => (await stat(join(dataDir, name))).mode));
  expect(modes.map((mode) => mode & 0o077)).toEqual([0, 0, 0, 0]);
});

/** Makes a database of eight terabytes, nearly all of which is a hole in its file. */
async function growSqlite(dataDir: string): Promise<void> {
  changeSqlite(dataDir, "pragma wal_checkpoint(truncate)");
  const pages = 2 ** 31 - 1;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(pages);
  const file = await open(join(dataDir, "store.sqlite"), "r+");
  await file.write(count, 0, count.length, 28);
  await file.truncate(pages * 4096);
  await file.close();
}

async function someFile(folder: string): Promise<string> {
  const entries = await readdir(join(folder, "files"), { recursive: true, withFileTypes: true });
  const file = entries.find((entry) => entry.isFile());
  return join(file?.parentPath ?? "", file?.name ?? "");
}

async function changeByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[200] = (bytes[200] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

interface AnyManifest {
  format: number;
  migrations: string[];
  files: { path: string; sha256: string }[];
}

async function changeManifest(folder: string, change: (manifest: AnyManifest) => void): Promise<void> {
  const path = join(folder, "manifest.json");
  const manifest: AnyManifest = JSON.parse(await readFile(path, "utf8"));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

function changeFormat(folder: string): Promise<void> {
  return changeManifest(folder, (manifest) => {
    manifest.format++;
  });
}

function forgetFile(folder: string): Promise<void> {
  return changeManifest(folder, ({ files }) => {
    files.splice(
      files.findIndex(({ path }) => path.startsWith("files/")),
      1,
    );
  });
}

/** Changes a file and its hash in the manifest. */
async function replaceFile(folder: string): Promise<void> {
  const path = await someFile(folder);
  await changeByte(path);
  const sha256 = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  await changeManifest(folder, ({ files }) => {
    for (const file of files) if (join(folder, file.path) === path) file.sha256 = sha256;
  });
}

/** Breaks the database, and writes its size and hash into the manifest. */
async function breakReferences(folder: string): Promise<void> {
  changeSqlite(folder, "pragma journal_mode = delete; pragma foreign_keys = off; delete from shops");
  const bytes = await readFile(join(folder, "store.sqlite"));
  const measured = { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  await changeManifest(folder, ({ files }) => {
    for (const file of files) if (file.path === "store.sqlite") Object.assign(file, measured);
  });
}

function leadOut(folder: string): Promise<void> {
  return changeManifest(folder, ({ files }) => {
    for (const file of files) file.path = `../${file.path}`;
  });
}

function addMigration(name: string) {
  return (folder: string) =>
    changeManifest(folder, ({ migrations }) => {
      migrations.push(name);
    });
}
