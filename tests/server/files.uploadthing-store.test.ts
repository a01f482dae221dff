import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readConfig, type UploadThingSettings } from "#server/config.ts";
import type { FileStore } from "#server/files/storage/file-store.ts";
import { createPendingRows, type PendingUploads } from "#server/files/storage/pending-uploads.ts";
import { createUploadThingStore } from "#server/files/storage/uploadthing.ts";
import { createLog } from "#server/lib/log.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { openTempDatabase, tempFolder } from "../setup/temporary.ts";
import { TestClock } from "../setup/test-clock.ts";
import { UploadThingEmulator } from "../setup/uploadthing-emulator.ts";

const MB = 1024 * 1024;
const KEY = "0f5c2a1e-0000-4000-8000-0123456789ab";
/** For the tests in which UploadThing falls silent; the others wait as the store does, however slow the machine. */
const HASTE = { pauseMs: 1000, requestMs: 1000 };
const LOG = createLog("silent");
const content = randomBytes(3 * MB);
const noAnswer = {
  code: "UNAVAILABLE",
  message: "Our file storage does not answer at the moment. Please try again soon",
};

interface Home {
  emulator: UploadThingEmulator;
  settings: UploadThingSettings;
  folder: string;
  store: FileStore;
  pending: PendingUploads;
  clock: TestClock;
  /** The keys of uploads that are being stored. */
  listed(): Promise<string[]>;
}

async function newHome(timeouts?: typeof HASTE): Promise<Home> {
  const emulator = await UploadThingEmulator.forTest();
  const { uploadThing } = readConfig(emulator.settings);
  if (!uploadThing) throw new Error("no settings");
  const folder = await tempFolder();
  const clock = new TestClock();
  const { db } = await openTempDatabase();
  const pending = createPendingRows({ db, now: clock.now });
  const store = await createUploadThingStore(folder, uploadThing, { pending, log: LOG }, timeouts);
  const listed = async () => {
    const rows = await db.selectFrom("pending_files").select("storage_key").execute();
    return rows.map((row) => row.storage_key);
  };
  return { emulator, settings: uploadThing, folder, store, pending, clock, listed };
}

/** A storage location that holds `content`. */
async function homeWithFile(timeouts?: typeof HASTE): Promise<Home> {
  const home = await newHome(timeouts);
  await keep(home.store);
  return home;
}

async function keep(store: FileStore, record: () => Promise<void> = recorded): Promise<void> {
  const staged = await store.stage(Readable.from([content]), { key: KEY, maxBytes: 10 * MB });
  await staged.commit(record).finally(() => staged.discard());
}

async function recorded(): Promise<void> {}

/** Files in the store's own folder. */
async function leftIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

function statuses({ requests }: UploadThingEmulator, operation: string): unknown[] {
  return requests.filter((request) => request.operation === operation).map(({ status }) => status);
}

test("a file is stored privately at UploadThing, and nothing of it stays on this machine", async () => {
  const { emulator, folder, store } = await homeWithFile();
  const [[name, file] = []] = emulator.files;
  expect(emulator.keys).toEqual([KEY]);
  expect(file).toMatchObject({ acl: "private", size: content.length, disposition: "attachment", name: KEY });
  expect((await readFile(file?.path ?? "")).equals(content)).toBe(true);
  expect(await leftIn(folder)).toEqual([]);
  expect(store.isShared).toBe(true);
  expect((await fetch(`${emulator.origin}/a/${emulator.appId}/${name}`)).status).toBe(403);
});

test("a signed URL serves for 15 minutes to upload a file, and for one to read it", async () => {
  const { emulator, store } = await homeWithFile();
  await buffer(await store.read(KEY));
  const seen = emulator.requests.map(({ operation, validMs }) => [operation, Math.ceil(validMs / 60_000)]);
  expect(seen).toEqual([
    ["upload", 15],
    ["read", 1],
  ]);
});

test("a file can be read whole, by range, or as a temporary local file", async () => {
  const { folder, store } = await homeWithFile();
  expect((await buffer(await store.read(KEY))).equals(content)).toBe(true);
  const range = await buffer(await store.read(KEY, { start: 99_999, end: 1_300_000 }));
  expect(range.equals(content.subarray(99_999, 1_300_001))).toBe(true);
  const lent = await store.withLocalFile(KEY, async (path) => {
    expect(await leftIn(folder)).toHaveLength(1);
    return readFile(path);
  });
  expect(lent.equals(content)).toBe(true);
  const failing = store.withLocalFile(KEY, () => Promise.reject(new Error("no use")));
  await expect(failing).rejects.toThrow("no use");
  expect(await leftIn(folder)).toEqual([]);
});

test("what a killed server had fetched is deleted at the next start", async () => {
  const { settings, folder, pending } = await newHome();
  await writeFile(join(folder, "lent", "fetched.part"), content);
  await createUploadThingStore(folder, settings, { pending, log: LOG });
  expect(await leftIn(folder)).toEqual([]);
});

test("a file is gone after its deletion, which can be repeated", async () => {
  const { emulator, store } = await homeWithFile();
  await store.remove(KEY);
  await store.remove(KEY);
  expect(emulator.files.size).toBe(0);
  const gone = { code: "NOT_FOUND", message: "The file is no longer here" };
  await expect(store.read(KEY)).rejects.toMatchObject(gone);
  await expect(store.withLocalFile(KEY, async () => {})).rejects.toMatchObject(gone);
});

test("an interrupted or failed upload resumes where it stopped", async () => {
  const { emulator, store } = await newHome();
  emulator.fail("upload", "cut", 1);
  await keep(store);
  const ranges = emulator.requests.map(({ operation, range }) => [operation, range]);
  expect(ranges[0]).toEqual(["upload", "bytes=0-"]);
  expect(ranges[1]).toEqual(["resume", undefined]);
  expect(ranges[2]?.[1]).toMatch(/^bytes=[1-9]\d*-$/);
  expect((await buffer(await store.read(KEY))).equals(content)).toBe(true);

  await store.remove(KEY);
  emulator.fail("upload", 503, 1);
  await keep(store);
  expect((await buffer(await store.read(KEY))).equals(content)).toBe(true);
});

test.each([
  ["does not answer", "hang", [undefined]],
  ["fails again and again", 500, [500, 500]],
  ["refuses", 403, [403]],
] as const)(
  "an upload that UploadThing %s is reported as failed and never recorded",
  async (_what, fault, seen) => {
    const { emulator, store } = await newHome(HASTE);
    emulator.fail("upload", fault);
    if (fault === "hang") emulator.fail("resume", fault);
    const isRecorded = keep(store, () => Promise.reject(new Error("recorded")));
    await expect(isRecorded).rejects.toMatchObject(noAnswer);
    expect(statuses(emulator, "upload")).toEqual(seen);
    expect(emulator.keys).toEqual([]);
  },
);

test.each([
  ["cut", "cut"],
  ["stalled", "stall"],
  ["answered with an error", 500],
] as const)("a read that is %s once resumes where it stopped", async (_what, fault) => {
  const { emulator, store } = await homeWithFile(HASTE);
  emulator.fail("read", fault, 1);
  expect((await buffer(await store.read(KEY))).equals(content)).toBe(true);
  emulator.fail("read", fault, 1);
  const range = await buffer(await store.read(KEY, { start: 7, end: 2 * MB }));
  expect(range.equals(content.subarray(7, 2 * MB + 1))).toBe(true);
});

test("a read that finally breaks off fails, and never looks complete", async () => {
  const { emulator, folder, store } = await homeWithFile();
  emulator.fail("read", "cut");
  await expect(buffer(await store.read(KEY))).rejects.toThrow();
  await expect(store.withLocalFile(KEY, async () => {})).rejects.toMatchObject(noAnswer);
  expect(await leftIn(folder)).toEqual([]);
});

test("a reader who leaves ends what UploadThing was sending", async () => {
  const { emulator, store } = await homeWithFile();
  // It sends half of the file and would keep the line open.
  emulator.fail("read", "stall", 1);
  for await (const _chunk of await store.read(KEY)) break;
  await expect.poll(() => emulator.answering).toBe(0);
});

test.each(["hang", 500, 403, "whole"] as const)(
  "a read of a range that UploadThing answers with %s is reported as such",
  async (fault) => {
    const { emulator, store } = await homeWithFile(HASTE);
    emulator.fail("read", fault);
    await expect(store.read(KEY, { start: 7, end: 20 })).rejects.toMatchObject(noAnswer);
    emulator.mend();
    expect(await buffer(await store.read(KEY))).toHaveLength(content.length);
  },
);

test("a slow reader is not cut off", async () => {
  const { emulator, store } = await homeWithFile(HASTE);
  const body = await store.read(KEY);
  let bytes = 0;
  for await (const chunk of body) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2 * HASTE.pauseMs));
    bytes += chunk.length;
  }
  expect(bytes).toBe(content.length);
  expect(statuses(emulator, "read")).toHaveLength(1);
});

test.each(["hang", "cut", 500, 403, 429] as const)(
  "a deletion answered with %s fails, and can be retried",
  async (fault) => {
    const { emulator, store } = await homeWithFile(HASTE);
    emulator.fail("delete", fault, 1);
    await expect(store.remove(KEY)).rejects.toMatchObject(noAnswer);
    await store.remove(KEY);
    expect(emulator.files.size).toBe(0);
  },
);

test("a file that could not be recorded is deleted, now or at the next cleanup", async () => {
  const { emulator, clock, store, listed } = await newHome();
  const noRecord = () => Promise.reject(new Error("no row today"));
  await expect(keep(store, noRecord)).rejects.toThrow("no row today");
  expect(emulator.files.size).toBe(0);
  clock.advance({ minutes: 10 });
  await store.removeAbandoned(async () => false);

  emulator.fail("delete", 500, 1);
  await expect(keep(store, noRecord)).rejects.toThrow("no row today");
  expect(emulator.keys).toEqual([KEY]);
  clock.advance({ minutes: 10 });
  await store.removeAbandoned(async () => false);
  expect(emulator.files.size).toBe(0);
  expect(await listed()).toEqual([]);
});

test("the row of a failed upload stays until nothing of it can arrive any more", async () => {
  const { emulator, clock, store, listed } = await newHome();
  emulator.fail("upload", 403);
  await expect(keep(store)).rejects.toMatchObject(noAnswer);
  clock.advance({ minutes: 9, seconds: 59 });
  await store.removeAbandoned(async () => false);
  expect(await listed()).toEqual([KEY]);
  clock.advance({ seconds: 1 });
  await store.removeAbandoned(async () => false);
  expect(await listed()).toEqual([]);
});

test("the cleanup skips a file that is still being stored", async () => {
  const { emulator, store, listed } = await newHome();
  await keep(store, () => store.removeAbandoned(async () => false));
  expect(emulator.keys).toEqual([KEY]);
  expect(await listed()).toEqual([]);
});

test("a file that a cleanup deleted while it was being stored is not recorded", async () => {
  const { emulator, clock, store } = await newHome(HASTE);
  let isRecorded = false;
  emulator.fail("upload", "hang", 1);
  const kept = keep(store, async () => {
    isRecorded = true;
  });
  const refused = expect(kept).rejects.toThrow("removed while it was being stored");
  await expect.poll(() => emulator.requests.length).toBe(1);
  clock.advance({ minutes: 10 });
  await store.removeAbandoned(async () => false);
  await refused;
  expect(isRecorded).toBe(false);
  expect(emulator.files.size).toBe(0);
});

test("a wrong API key is refused everything", async () => {
  const { emulator, settings, pending } = await homeWithFile();
  const other = { ...settings, apiKey: "sk_live_of_someone_else" };
  const token = Buffer.from(JSON.stringify({ ...other, regions: ["bom1"] })).toString("base64");
  const store = await createUploadThingStore(await tempFolder(), { ...other, token }, { pending, log: LOG });
  await expect(keep(store)).rejects.toMatchObject(noAnswer);
  await expect(store.read(KEY)).rejects.toMatchObject(noAnswer);
  await expect(store.remove(KEY)).rejects.toMatchObject(noAnswer);
  expect(emulator.keys).toEqual([KEY]);
});

test("redirects are not followed, because the API key would be sent along", async () => {
  const { settings, pending } = await homeWithFile();
  const asked: string[] = [];
  const elsewhere = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url?.startsWith("/elsewhere")) response.end('{"success":true,"deletedCount":1}');
    else response.writeHead(307, { Location: `/elsewhere${request.url}` }).end();
  });
  onTestFinished(() => void elsewhere.close());
  await once(elsewhere.listen(0, "127.0.0.1"), "listening");
  const host = `localhost:${(elsewhere.address() as AddressInfo).port}`;
  const there = { ...settings, apiUrl: `http://${host}`, ingestUrl: `http://${host}`, ufsHost: host };
  const store = await createUploadThingStore(await tempFolder(), there, { pending, log: LOG });

  await expect(store.remove(KEY)).rejects.toMatchObject(noAnswer);
  await expect(store.read(KEY)).rejects.toMatchObject(noAnswer);
  await expect(keep(store)).rejects.toMatchObject(noAnswer);
  expect(asked.length).toBeGreaterThan(2);
  expect(asked.filter((request) => request.includes("/elsewhere"))).toEqual([]);
});

test("no key can point elsewhere", async () => {
  const { emulator, store } = await newHome();
  for (const key of ["../../../etc/passwd", "a/../../b/cdefgh", "", "ab", "abcdefgh?x=1"]) {
    await expect(async () => store.read(key)).rejects.toThrow("not a key");
    await expect(async () => store.remove(key)).rejects.toThrow("not a key");
  }
  expect(emulator.requests).toEqual([]);
});

test("incoming bytes are counted before they are stored", async () => {
  const { store } = await newHome();
  const staged = await store.stage(Readable.from([content]), { key: KEY, maxBytes: 10 * MB });
  expect(staged.bytes).toBe(content.length);
  await staged.discard();
  await expect(store.stage(Readable.from([content]), { key: KEY, maxBytes: MB })).rejects.toMatchObject({
    code: "TOO_LARGE",
  });
});

test("a 90 MB file is uploaded and downloaded in constant memory", async () => {
  const emulator = await UploadThingEmulator.forTest();
  const script = join(import.meta.dirname, "keep-ninety-megabytes.ts");
  const env = { ...BARE_ENVIRONMENT, ...emulator.settings };
  const { stdout } = await promisify(execFile)(process.execPath, [script, await tempFolder()], { env });
  const { grown, read, lent } = JSON.parse(stdout);
  expect([read, lent]).toEqual([90 * MB, 90 * MB]);
  expect(grown).toBeLessThan(60 * MB);
  expect(emulator.files.size).toBe(1);
});
