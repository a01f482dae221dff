import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
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
 * one of them.
 */
export async function openStaging(
  folder: string,
  keepAs: (arrived: ArrivedFile) => StagedFile["keep"],
): Promise<FileStore["stage"]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return async (body, maxBytes) => {
    const path = join(folder, `${randomUUID()}.part`);
    const discard = () => rm(path, { force: true });
    try {
      const arrived = { path, ...(await receive(body, path, maxBytes)), discard };
      return { ...arrived, keep: keepAs(arrived) };
    } catch (error) {
      await discard();
      throw error;
    }
  };
}

/** Writes the body to `path` and to the disk under it, counting and hashing on the way. */
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
  await pipeline(
    body,
    measure,
    createWriteStream(path, { flags: "wx", flush: true, highWaterMark: AT_ONCE_BYTES }),
  );
  return { bytes, sha256: hash.digest("hex") };
}
