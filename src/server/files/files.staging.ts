import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { tooLarge } from "./files.errors.ts";
import type { FileStore, StagedFile } from "./files.store.ts";

/** What arrives while the disk is busy is written in one go then. */
const AT_ONCE_BYTES = 512 * 1024;

/** A file that lies to the side: what a staged one is but for how it is kept. */
export type ArrivedFile = Omit<StagedFile, "keep">;

/**
 * Where files arrive: in `folder`, from which is cleared away what a crash left there. `keepAs` says how the store keeps
 * one of them. While it is still written to the disk under it, it can be looked at already.
 */
export async function openStaging(
  folder: string,
  keepAs: (arrived: ArrivedFile) => StagedFile["keep"],
): Promise<FileStore["stage"]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return async (body, maxBytes) => {
    const path = join(folder, `${randomUUID()}.part`);
    const remove = () => rm(path, { force: true });
    try {
      const measures = await receive(body, path, maxBytes);
      const synced = syncFile(path);
      const discard = () => synced.then(remove, remove);
      const keep = keepAs({ path, ...measures, discard });
      return { path, ...measures, discard, keep: (...as) => synced.then(() => keep(...as)) };
    } catch (error) {
      await remove();
      throw error;
    }
  };
}

/** Writes the body to `path`, counting and hashing on the way. */
async function receive(body: Readable, path: string, maxBytes: number) {
  const hash = createHash("sha256");
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      bytes += chunk.length;
      if (bytes > maxBytes) return pass(tooLarge(maxBytes));
      hash.update(chunk);
      pass(null, chunk);
    },
  });
  await pipeline(body, measure, createWriteStream(path, { flags: "wx", highWaterMark: AT_ONCE_BYTES }));
  return { bytes, sha256: hash.digest("hex") };
}

/** Writes what is in the file to the disk under it. Whoever needs that hears of a failure. */
function syncFile(path: string): Promise<void> {
  const synced = open(path, "r+").then((file) => file.sync().finally(() => file.close()));
  synced.catch(() => {});
  return synced;
}
