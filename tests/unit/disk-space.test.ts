import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { DiskSpace, freeBytes } from "#server/http/disk-space.ts";

const MB = 1024 * 1024;
const FULL = { code: "STORAGE_FULL" };

describe("what may still be stored", () => {
  // Other programs fill the same disk meanwhile: halves and thirds of it are far enough apart.
  test("is what is free, without what must stay free and what is reserved", async () => {
    const free = await freeBytes(tmpdir());
    const space = new DiskSpace(tmpdir(), free / 2);
    expect((await space.leftBytes()) / free).toBeCloseTo(1 / 2, 1);
    const release = await space.take(free / 3);
    expect((await space.leftBytes()) / free).toBeCloseTo(1 / 6, 1);
    await expect(space.take(free / 3)).rejects.toMatchObject(FULL);
    release();
    await space.take(free / 3);
    expect((await space.leftBytes()) / free).toBeCloseTo(1 / 6, 1);
  });

  test("is nothing where less is free than must stay free, not even for an empty file", async () => {
    const space = new DiskSpace(tmpdir(), Number.MAX_SAFE_INTEGER);
    expect([await space.leftBytes(), await space.isShort()]).toEqual([0, true]);
    await expect(space.take(0)).rejects.toMatchObject(FULL);
  });

  test("is not short where all of it is reserved, but not used yet", async () => {
    const space = new DiskSpace(tmpdir(), (await freeBytes(tmpdir())) / 2);
    await space.take(await space.leftBytes());
    expect(await space.isShort()).toBe(false);
  });

  test("is counted in bytes", async () => {
    const space = new DiskSpace(tmpdir(), 0);
    expect(await space.leftBytes()).toBeGreaterThan(100 * MB);
  });
});

describe("an account", () => {
  /** Runs so many uploads of the account until `finish` is called. */
  function upload(space: DiskSpace, account: string, count: number) {
    const working = Promise.withResolvers<void>();
    const uploads = Array.from({ length: count }, () => space.during(account, 1, () => working.promise));
    return { uploads, finish: working.resolve };
  }

  test("may have six uploads at once, and the next one when one has ended", async () => {
    const space = new DiskSpace(tmpdir(), 0, { isLimited: true });
    const { uploads, finish } = upload(space, "asha", 6);
    expect(space.underWay("asha")).toBe(6);
    await expect(space.during("asha", 1, async () => {})).rejects.toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringMatching(/^Six of your files/),
      retryAfterSeconds: 10,
    });
    expect([space.underWay("asha"), space.underWay("ravi")]).toEqual([6, 0]);
    expect(await space.during("ravi", 1, async () => "received")).toBe("received");
    finish();
    await Promise.all(uploads);
    expect(space.underWay("asha")).toBe(0);
    expect(await space.during("asha", 1, async () => "received")).toBe("received");
  });

  test("may have any number where the limits are turned off", async () => {
    const space = new DiskSpace(tmpdir(), 0);
    const { uploads, finish } = upload(space, "asha", 20);
    finish();
    expect(await Promise.all(uploads)).toHaveLength(20);
  });

  test("is free of an upload that failed or found no room, and so is the disk", async () => {
    const free = await freeBytes(tmpdir());
    const space = new DiskSpace(tmpdir(), free / 2, { isLimited: true });
    const fail = () =>
      space.during("asha", free / 3, () => Promise.reject(new Error("The connection broke")));
    for (let times = 0; times < 7; times++) await expect(fail()).rejects.toThrow("The connection broke");
    const tooLarge = space.during("asha", free, async () => expect.unreachable("was received"));
    await expect(tooLarge).rejects.toMatchObject(FULL);
    expect(space.underWay("asha")).toBe(0);
    expect((await space.leftBytes()) / free).toBeCloseTo(1 / 2, 1);
  });
});
