import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadSecret } from "#server/lib/crypto.ts";
import { lockDataDir, tryToLockDataDir } from "#server/lib/data-dir.ts";
import { tempFolder } from "../setup/temporary.ts";

describe("the lock of a data folder", () => {
  test("belongs to one server at a time, and the next one gets it when that has ended", async () => {
    const folder = join(await tempFolder(), "of", "a", "store");
    const unlock = lockDataDir(folder);
    expect(tryToLockDataDir(folder)).toBeNull();
    expect(() => lockDataDir(folder)).toThrow(`DATA_DIR: another server uses ${folder}`);
    unlock();
    onTestFinished(lockDataDir(folder));
    expect(tryToLockDataDir(folder)).toBeNull();
  });

  test("is not said to be another server's where its file is broken", async () => {
    const folder = await tempFolder();
    await writeFile(
      join(folder, "server.lock"),
      "no database, but of more than a hundred letters".repeat(20),
    );
    expect(() => tryToLockDataDir(folder)).toThrow("not a database");
  });
});

describe("a store's secret", () => {
  test("is made at the first start, is its owner's alone, and stays the same", async () => {
    const folder = join(await tempFolder(), "of", "a", "store");
    const secret = await loadSecret(folder);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(await loadSecret(folder)).toBe(secret);
    expect(await loadSecret(await tempFolder())).not.toBe(secret);
    expect(await readdir(folder)).toEqual(["secret"]);
    expect((await stat(join(folder, "secret"))).mode & 0o777).toBe(0o600);
  });

  test("is not made anew because it cannot be read", async () => {
    const folder = await tempFolder();
    await mkdir(join(folder, "secret"));
    await expect(loadSecret(folder)).rejects.toThrow("EISDIR");
  });

  test("that was given by hand is used", async () => {
    const folder = await tempFolder();
    const secret = "of the operator, as long as it must be";
    await writeFile(join(folder, "secret"), secret);
    expect(await loadSecret(folder)).toBe(secret);
  });
});
