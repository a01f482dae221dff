import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#server/config.ts";
import { storedPath } from "#server/files/storage/file-store.ts";
import { type Outcome, openMoveProgress } from "../../scripts/move-files/copy-files.ts";
import { moveFiles } from "../../scripts/move-files/move-files.ts";
import { plainPdf, withPadding } from "../factories/pdfs.ts";
import { transparentPicture } from "../factories/photos.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { deliveredOrder, reportError, sendPhoto } from "../factories/reprints.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { databaseUrlFor, dropDatabaseOf } from "../setup/test-database.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";
import { shopWithPhoto } from "./backup.scripts.ts";
import { changeSqlite } from "./migrate-to-postgres.scripts.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/move-files.ts");

interface StoreOnDisk {
  dataDir: string;
  emulator: UploadThingEmulator;
  /** Uploads by id. */
  uploads: Map<string, Uint8Array<ArrayBuffer>>;
  reportPhoto: string;
  shopPhoto: string;
  /** What was told of moves in this process. */
  said: string[];
  /** Starts the store; without settings its files are on disk. */
  start(env?: Record<string, string>): Promise<TestStore>;
  /** Its student, at this server. */
  studentAt(store: TestStore): ApiClient;
}

/** A stopped store with uploads and two photos on disk. */
async function storeOnDisk(count: number): Promise<StoreOnDisk> {
  const dataDir = await tempFolder();
  onTestFinished(() => dropDatabaseOf(dataDir));
  const emulator = await UploadThingEmulator.forTest();
  const start = (env: Record<string, string> = {}) => startTestStore({ DATA_DIR: dataDir, ...env });
  const store = await start();
  const { visitor } = await signedInStudent(store);
  const uploads = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let number = 1; number <= count; number++) {
    const bytes = new Uint8Array(withPadding(plainPdf(number), 300_000));
    uploads.set((await visitor.upload(bytes)).body.public_id, bytes);
  }
  const photo = new Uint8Array(await transparentPicture());
  const { id: reportPhoto } = expectDone(await sendPhoto(visitor, photo));
  const { photo: shopPhoto } = await shopWithPhoto(store);
  await store.stop();
  const studentAt = (server: TestStore) => visitor.at(server);
  return { dataDir, emulator, uploads, reportPhoto, shopPhoto, said: [], start, studentAt };
}

async function settingsOf({ dataDir, emulator }: StoreOnDisk): Promise<Record<string, string>> {
  return { DATA_DIR: dataDir, DATABASE_URL: await databaseUrlFor(dataDir), ...emulator.settings };
}

async function startMove(store: StoreOnDisk): Promise<ChildProcess> {
  const env = { ...BARE_ENVIRONMENT, ...(await settingsOf(store)) };
  return spawn(process.execPath, [SCRIPT], { env });
}

async function orderedFile(server: TestStore): Promise<string> {
  const [shopId] = await shopIds(server);
  return (await placeOrder(server, shopId)).fileId;
}

async function reportedPhoto(server: TestStore): Promise<string> {
  const { id: shopId } = await shownShop((await signedInAdmin(server)).visitor);
  const order = await deliveredOrder(server, (await signedInOwner(server, [shopId])).visitor, shopId);
  const { id } = expectDone(await sendPhoto(order.visitor, new Uint8Array(await transparentPicture())));
  expectDone(await reportError(order, [id]));
  await expect.poll(() => isErased(server, order.fileId)).toBe(true);
  return id;
}

async function isErased({ deps: { readDb } }: TestStore, id: string): Promise<boolean> {
  const file = readDb.selectFrom("files").select("erased_at").where("id", "=", id);
  return (await file.executeTakeFirst())?.erased_at !== null;
}

/** Runs the operator's script to its end. */
async function move(store: StoreOnDisk): Promise<{ code: number; said: string; failed: string }> {
  const child = await startMove(store);
  if (!child.stdout || !child.stderr) throw new Error("no output");
  const [said, failed, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { code, said, failed };
}

/** Moves the files in this process; the first tests show how the script reports it. */
async function moveHere(store: StoreOnDisk, env: Record<string, string> = {}): Promise<Outcome> {
  const config = readConfig({ ...(await settingsOf(store)), ...env });
  return moveFiles(config, (line) => void store.said.push(line));
}

/** Leaves a file on the disk whose upload a killed server had not recorded. */
async function leaveUnrecorded({ dataDir }: StoreOnDisk): Promise<void> {
  const folder = join(dataDir, "files");
  const key = randomUUID();
  await mkdir(dirname(storedPath(folder, key)), { recursive: true });
  for (const path of [storedPath(folder, key), join(folder, "pending", key)]) await writeFile(path, "");
}

/** Files below `files/` of the data folder. */
async function onDisk({ dataDir }: StoreOnDisk): Promise<string[]> {
  const entries = await readdir(join(dataDir, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test("a killed move resumes where it stopped, and removes what was deleted in between", async () => {
  const store = await storeOnDisk(24);
  const { emulator, uploads, reportPhoto } = store;
  emulator.fail("upload", "hang", Number.POSITIVE_INFINITY, 8);
  const first = await startMove(store);
  await expect.poll(() => emulator.keys.length).toBe(8);
  first.kill("SIGKILL");
  await once(first, "exit");
  emulator.mend();
  const there = emulator.keys.filter((key) => uploads.has(key));
  expect(there.length).toBeGreaterThan(5);

  // Until everything is moved the store uses its disk.
  const between = await store.start();
  const [deleted = ""] = there;
  expectDone(await store.studentAt(between).mutate("files.remove", { id: deleted }));
  const lost = [...uploads.keys()].find((key) => !there.includes(key)) ?? "";
  for (const id of [deleted, lost]) uploads.delete(id);
  await between.stop();
  await leaveUnrecorded(store);
  await rm(storedPath(join(store.dataDir, "files"), lost));

  const { code, said, failed } = await move(store);
  expect([code, failed]).toEqual([0, ""]);
  const counts = /^Moved (\d+) files, [\d.]+ MB, to UploadThing; (\d+) were there already$/m.exec(said);
  expect(Number(counts?.[1]) + Number(counts?.[2])).toBe(uploads.size + 2);
  expect(Number(counts?.[2])).toBeGreaterThan(0);
  expect(said).toContain("1 were not on the disk before either, and are not at UploadThing");
  const photos = emulator.keys.filter((key) => key.startsWith("shop-photo-"));
  expect(photos).toHaveLength(1);
  expect(emulator.keys.toSorted()).toEqual([...uploads.keys(), reportPhoto, ...photos].toSorted());
  expect(await onDisk(store)).toEqual([]);

  const moved = await store.start(emulator.settings);
  onTestFinished(() => moved.stop());
  const student = store.studentAt(moved);
  for (const [id, bytes] of uploads)
    expect(await (await student.fetch(`/files/${id}`)).bytes()).toEqual(bytes);
  expect((await student.fetch(`/reprint-photos/${reportPhoto}`)).status).toBe(200);
  await rm(join(store.dataDir, "shop-images"), { recursive: true });
  expect((await student.fetch(store.shopPhoto)).status).toBe(200);
});

test("a move that UploadThing interrupts, or whose files it changes, says so, and the files stay where they are", async () => {
  const store = await storeOnDisk(3);
  store.emulator.fail("upload", 500);
  const { code, said, failed } = await move(store);
  expect([code, said]).toEqual([1, ""]);
  expect(failed).toMatch(
    /^The files are not all moved: Our file storage does not answer at the moment.*\(UploadThing answered 500\)\n/,
  );
  store.emulator.mend();
  store.emulator.fail("upload", "garble");
  await expect(moveHere(store)).rejects.toThrow(/What UploadThing gives back for \S+ is not what was sent/);
  const server = await store.start();
  const [[id = "", bytes] = []] = store.uploads;
  expect(await (await store.studentAt(server).fetch(`/files/${id}`)).bytes()).toEqual(bytes);
  await server.stop();
});

test("a move that goes on to another app copies every file to that one, and names the first one, whose copies stay", async () => {
  const store = await storeOnDisk(3);
  const { emulator, uploads } = store;
  emulator.fail("upload", 500, Number.POSITIVE_INFINITY, 2);
  await expect(moveHere(store)).rejects.toThrow("does not answer");
  expect(emulator.keys).toHaveLength(2);
  const other = await UploadThingEmulator.forTest("app0other");

  expect(await moveHere(store, other.settings)).toMatchObject({ moved: 5, already: 0 });
  expect(other.keys).toEqual(expect.arrayContaining([...uploads.keys(), store.reportPhoto]));
  expect(other.keys).toHaveLength(5);
  expect(store.said).toEqual([
    `An earlier run has copied files to UploadThing's app ${emulator.appId}. They are still there`,
  ]);
  expect(await onDisk(store)).toEqual([]);
  await expect(moveHere(store)).rejects.toThrow(`in the app ${other.appId}. Give a token of that app`);
});

test("a move that ended before it copied anything is no earlier run", async () => {
  const folder = join(await tempFolder(), "moving");
  await openMoveProgress(folder, "app0wrong");
  const progress = await openMoveProgress(folder, "app0right");
  expect(progress.otherApps).toEqual([]);
  await progress.begin("a");
  expect((await openMoveProgress(folder, "app0other")).otherApps).toEqual(["app0right"]);
});

test("a shop's photo is only done once its row is written", async () => {
  const store = await storeOnDisk(0);
  changeSqlite(
    store.dataDir,
    "create trigger refuses before insert on shop_photos begin select raise(abort, 'no row today'); end",
  );
  await expect(moveHere(store)).rejects.toThrow("no row today");
  changeSqlite(store.dataDir, "drop trigger refuses");
  await moveHere(store);
  const moved = await store.start(store.emulator.settings);
  const photos = await moved.deps.db.selectFrom("shop_photos").select("image").execute();
  await moved.stop();
  expect(photos).toEqual([{ image: store.shopPhoto }]);
});

test("a damaged file, or one that cannot be read, is not moved", async () => {
  const store = await storeOnDisk(3);
  const [id = ""] = store.uploads.keys();
  const path = storedPath(join(store.dataDir, "files"), id);
  await truncate(path, 1000);
  await expect(moveHere(store)).rejects.toThrow(
    `DATA_DIR: 1 of the store's files are missing or not what was uploaded, such as ${path}`,
  );
  await rm(path);
  await mkdir(path);
  await expect(moveHere(store)).rejects.toThrow("EISDIR");
  expect(store.emulator.keys).not.toContain(id);
  await expect(store.start(store.emulator.settings)).rejects.toThrow("Move them first");
});

test.each([
  ["a file that an order needs", orderedFile],
  ["the photo of a printing error", reportedPhoto],
])(
  "a move is refused while %s is missing, and the next one forgets what nobody needs any more",
  async (_what, make) => {
    const store = await storeOnDisk(1);
    const server = await store.start();
    const key = await make(server);
    await server.stop();
    const path = storedPath(join(store.dataDir, "files"), key);
    await rename(path, join(store.dataDir, "aside"));
    const before = await onDisk(store);

    await expect(moveHere(store)).rejects.toThrow(
      `DATA_DIR: 1 of the store's files are missing or not what was uploaded, such as ${path}`,
    );
    const after = (await onDisk(store)).filter((name) => !name.endsWith(".done"));
    expect(after.toSorted()).toEqual(before.toSorted());
    await rename(join(store.dataDir, "aside"), path);
    changeSqlite(store.dataDir, "update shops set image = ''");
    expect(await moveHere(store)).toMatchObject({ moved: 1, already: 2 });
    expect(store.emulator.keys.filter((key) => key.startsWith("shop-photo-"))).toEqual([]);
    const moved = await store.start(store.emulator.settings);
    expect(await moved.deps.db.selectFrom("shop_photos").select("image").execute()).toEqual([]);
    await moved.stop();
  },
);

test("a move with another data folder than the store's is refused, and the files stay where they are", async () => {
  const store = await storeOnDisk(2);
  const before = await onDisk(store);
  const elsewhere = await tempFolder();

  await expect(moveHere(store, { DATA_DIR: elsewhere })).rejects.toThrow(
    `DATA_DIR: 1 of the store's files are missing or not what was uploaded, such as ${elsewhere}/shop-images/`,
  );
  changeSqlite(store.dataDir, "update shops set image = ''");
  await expect(moveHere(store, { DATA_DIR: elsewhere })).rejects.toThrow(
    `DATA_DIR: none of the store's files is in ${elsewhere}`,
  );
  expect(await onDisk(store)).toEqual(before);
  expect(await moveHere(store)).toMatchObject({ moved: 3, already: 0 });
});

test("a move is refused while a server runs or without a token, and is done once the disk is empty", async () => {
  const store = await storeOnDisk(1);
  const running = await store.start();
  await expect(moveHere(store)).rejects.toThrow("another server uses");
  await running.stop();
  await moveHere(store);

  const [id = ""] = store.uploads.keys();
  const path = storedPath(join(store.dataDir, "files"), id);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, "killed before it was deleted");
  await writeFile(join(dirname(path), "nobody-knows-it"), "a stranger");
  const start = () => store.start(store.emulator.settings);
  await expect(start()).rejects.toThrow(
    /^UPLOADTHING_TOKEN: there are still files in [^\n]*Run npm run move-files$/,
  );
  await moveHere(store);
  expect(store.said.at(-1)).toContain("1 files that the database does not know are in");
  expect(await onDisk(store)).toEqual(["nobody-knows-it"]);
  await (await start()).stop();

  await expect(moveHere(store, { UPLOADTHING_TOKEN: "" })).rejects.toThrow(
    "UPLOADTHING_TOKEN: set it to where the files are to go",
  );
});

test("a move is refused where there is no store, and makes none", async () => {
  const parent = await tempFolder();
  const emulator = await UploadThingEmulator.forTest();
  const env = { ...BARE_ENVIRONMENT, ...emulator.settings, DATA_DIR: join(parent, "elsewhere") };

  const child = spawn(process.execPath, [SCRIPT], { env });

  expect(await text(child.stderr)).toMatch(
    /^The files are not all moved: This account finds no store in \S+\/elsewhere\/store\.sqlite\. /,
  );
  expect(await readdir(parent)).toEqual([]);
});
