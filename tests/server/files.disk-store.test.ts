import { type FileHandle, open, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createDiskStore } from "#server/files/storage/file-store.ts";
import { tempFolder } from "../setup/temporary.ts";
import { fillDisk, fillFileSize } from "./files.fixtures.ts";

const MB = 1024 * 1024;
const KEY = "0f5c2a1e-key";
const AS = { key: KEY, maxBytes: MB };

async function newStore() {
  const folder = await tempFolder();
  return { folder, store: await createDiskStore(folder) };
}

function chunks(count: number, size: number): Readable {
  return Readable.from(
    Array.from({ length: count }, (_, index) => Buffer.alloc(size, index)),
    { objectMode: false },
  );
}

/** A record that is written at once. */
async function recorded(): Promise<void> {}

function incoming(folder: string): Promise<string[]> {
  return readdir(join(folder, "incoming"));
}

/** Spies on the sync calls of all open files. With `failing`, the call of that number fails. */
async function spyOnSync(failing?: number) {
  const handle = await open(import.meta.filename);
  await handle.close();
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const original = prototype.sync;
  const spy = vi.spyOn(prototype, "sync").mockImplementation(function (this: FileHandle) {
    if (spy.mock.calls.length === failing) throw new Error("the disk is broken");
    return original.call(this);
  });
  onTestFinished(() => spy.mockRestore());
  return spy;
}

async function kept(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe("the disk store", () => {
  test("counts the incoming bytes and stores them under their key", async () => {
    const { folder, store } = await newStore();
    const content = await buffer(chunks(50, 100_001));
    const staged = await store.stage(chunks(50, 100_001), { key: KEY, maxBytes: 10 * MB });
    expect(staged.bytes).toBe(5_000_050);
    expect((await readFile(staged.path)).equals(content)).toBe(true);

    await staged.commit(recorded);
    await staged.discard();
    expect(await incoming(folder)).toEqual([]);
    expect((await buffer(await store.read(KEY))).equals(content)).toBe(true);
    const range = await buffer(await store.read(KEY, { start: 99_999, end: 300_000 }));
    expect(range.equals(content.subarray(99_999, 300_001))).toBe(true);
  });

  test("spreads files over many folders", async () => {
    const { folder, store } = await newStore();
    for (const key of ["aabb-0001", "aabb-0002", "aacc-0001", "ddbb-0001"]) {
      await (await store.stage(chunks(1, 10), { key, maxBytes: MB })).commit(recorded);
    }
    expect((await readdir(join(folder, "stored"))).sort()).toEqual(["aa", "dd"]);
    expect((await readdir(join(folder, "stored", "aa"))).sort()).toEqual(["bb", "cc"]);
    expect(await kept(folder)).toHaveLength(4);
  });

  test("deletes a discarded or removed file, even repeatedly, and says so to who uses it at the moment", async () => {
    const { folder, store } = await newStore();
    const staged = await store.stage(chunks(1, 10), AS);
    await staged.discard();
    await staged.discard();
    await (await store.stage(chunks(1, 10), AS)).commit(recorded);
    const inUse = store.withLocalFile(KEY, async () => {
      await store.remove(KEY);
      throw new Error("half a file");
    });
    await expect(inUse).rejects.toMatchObject({ code: "NOT_FOUND" });
    await store.remove(KEY);
    expect(await kept(folder)).toEqual([]);
    await expect(store.read(KEY)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("accepts a file of exactly the limit, and refuses one byte more with a message that names the limit", async () => {
    const { folder, store } = await newStore();
    const exact = await store.stage(chunks(4, MB / 4), AS);
    expect(exact.bytes).toBe(MB);
    await exact.discard();
    const body = chunks(400, MB / 4 + 1);
    await expect(store.stage(body, AS)).rejects.toMatchObject({
      code: "TOO_LARGE",
      message: "The file is larger than 1 MB. Please upload a smaller one",
    });
    expect(body.destroyed).toBe(true);
    expect(await kept(folder)).toEqual([]);
  });

  test("leaves nothing of an aborted upload", async () => {
    const { folder, store } = await newStore();
    async function* broken() {
      yield Buffer.alloc(200_000);
      expect(await incoming(folder)).toHaveLength(1);
      throw new Error("the line went dead");
    }
    await expect(store.stage(Readable.from(broken()), AS)).rejects.toThrow("the line went dead");
    expect(await kept(folder)).toEqual([]);
  });

  test("deletes half-received files after a crash, and nothing else", async () => {
    const { folder, store } = await newStore();
    await (await store.stage(chunks(1, 10), AS)).commit(recorded);
    await writeFile(join(folder, "incoming", "left-by-a-crash.part"), "half a fi");
    const reopened = await createDiskStore(folder);
    expect(await incoming(folder)).toEqual([]);
    expect(await buffer(await reopened.read(KEY))).toHaveLength(10);
  });

  test("deletes stored but unrecorded files after a crash, and keeps recorded ones", async () => {
    const { folder, store } = await newStore();
    for (const key of ["aabb-lost", "aabb-there"]) {
      const staged = await store.stage(chunks(1, 10), { key, maxBytes: MB });
      await new Promise<void>((crash) => void staged.commit(() => new Promise(() => crash())));
    }
    const reopened = await createDiskStore(folder);
    await reopened.removeAbandoned(async (key) => key === "aabb-there");
    await reopened.removeAbandoned(async () => false);
    expect(await kept(folder)).toEqual(["aabb-there"]);
  });

  test("keeps nothing that could not be recorded", async () => {
    const { folder, store } = await newStore();
    const staged = await store.stage(chunks(1, 10), AS);
    const refused = staged.commit(() => Promise.reject(new Error("no row today")));
    await expect(refused).rejects.toThrow("no row today");
    expect(await kept(folder)).toEqual([]);
  });

  test("syncs a file and its folders to the disk before it is recorded", async () => {
    const { folder, store } = await newStore();
    const sync = await spyOnSync();
    const staged = await store.stage(chunks(1, 10), AS);
    await staged.commit(async () => {
      // The file; its key in pending/; the new folders stored/0f/5c, stored/0f and stored in their parents; the file in stored/0f/5c.
      expect(sync).toHaveBeenCalledTimes(6);
      expect(await kept(folder)).toHaveLength(2);
    });
  });

  test("does not stage a file whose sync failed", async () => {
    const { folder, store } = await newStore();
    await spyOnSync(1);
    const staging = store.stage(chunks(60, 100_000), { key: KEY, maxBytes: 10 * MB });
    await expect(staging).rejects.toThrow("the disk is broken");
    expect(await kept(folder)).toEqual([]);
  });

  test.each([1, 2, 3, 4, 5])("neither keeps nor records a file if sync %i of 5 fails", async (nth) => {
    const { folder, store } = await newStore();
    const record = vi.fn(recorded);
    const staged = await store.stage(chunks(1, 10), AS);
    await spyOnSync(nth);
    await expect(staged.commit(record)).rejects.toThrow("the disk is broken");
    await staged.discard();
    expect(record).not.toHaveBeenCalled();
    expect(await kept(folder)).toEqual([]);
  });

  test("keeps a file that may have been recorded until a cleanup finds out", async () => {
    const { folder, store } = await newStore();
    const staged = await store.stage(chunks(1, 10), AS);
    const noAnswer = Object.assign(new Error("the line went dead"), { code: "ECONNRESET" });
    await expect(staged.commit(() => Promise.reject(noAnswer))).rejects.toThrow(noAnswer);
    expect(await buffer(await store.read(KEY))).toHaveLength(10);
    await store.removeAbandoned(async () => false);
    expect(await kept(folder)).toEqual([]);
  });

  test("refuses a key that could point outside the store", async () => {
    const { store } = await newStore();
    for (const key of ["../../../etc/passwd", "a/../../b/cdefgh", "", "ab"]) {
      await expect(async () => store.read(key)).rejects.toThrow("not a key");
      await expect(async () => store.remove(key)).rejects.toThrow("not a key");
      await expect(async () =>
        (await store.stage(chunks(1, 10), { key, maxBytes: MB })).commit(recorded),
      ).rejects.toThrow("not a key");
    }
  });

  test("passes on the error of a failed write, and leaves nothing behind", async () => {
    expect(await fillFileSize()).toEqual({ code: "EFBIG", left: [] });
  });

  test("passes on ENOSPC when the disk is full, and leaves nothing behind", async (context) => {
    const outcome = await fillDisk();
    context.skip(outcome === null, "needs a system that lets a process mount a small disk of its own");
    expect(outcome).toEqual({ code: "ENOSPC", left: [] });
  });
});
