import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMalwareScanner } from "#server/files/malware-scanner.ts";
import { createDiskStore } from "#server/files/storage/disk.ts";
import { DiskSpace } from "#server/http/disk-space.ts";
import { receivePicture, reencode } from "#server/http/pictures.ts";
import { createLog } from "#server/lib/log.ts";
import { sidewaysPhoto } from "../factories/photos.ts";
import { tempFolder } from "../setup/temp-database.ts";

test("accounts take turns encoding photos, and one with too many is refused before its next is read", async () => {
  const folder = await tempFolder();
  const path = join(folder, "photo.jpg");
  await writeFile(path, await sidewaysPhoto());
  const order: string[] = [];
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const encode = (account: string, name: string, until?: Promise<void>) =>
    reencode({ path, account }, ["image/jpeg"], async () => {
      begun.resolve();
      await until;
      order.push(name);
    });
  const first = encode("a", "a1", held.promise);
  await begun.promise;
  const others = [
    ...["a2", "a3", "a4", "a5", "a6", "a7"].map((name) => encode("a", name)),
    encode("b", "b1"),
  ];
  const refusal = { code: "RATE_LIMITED", message: expect.stringContaining("Too many of your photos") };
  await expect(encode("a", "a8")).rejects.toMatchObject(refusal);
  let reads = 0;
  const body = new ReadableStream<Uint8Array>({ pull: () => void reads++ }, { highWaterMark: 0 });
  const scanner = createMalwareScanner(null, createLog("silent"));
  const [files, diskSpace] = [await createDiskStore(folder), new DiskSpace(folder, 0)];
  const server = { scanner, files, diskSpace, contentLength: null };
  await expect(receivePicture(server, body, "a", async () => {})).rejects.toMatchObject(refusal);
  expect(reads).toBe(0);
  held.resolve();
  await Promise.all([first, ...others]);
  expect(order).toEqual(["a1", "b1", "a2", "a3", "a4", "a5", "a6", "a7"]);
});
