import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SMALL_PHOTO_WIDTH } from "#shared/shop-photos.ts";
import type { EncodedPhoto } from "./shops.photo-codec.ts";

const FILE_NAME = new RegExp(`^([0-9a-f]{32})(-${SMALL_PHOTO_WIDTH})?\\.webp$`);

/** The shop photos in one folder, each in two files named by the photo's hash. */
export class PhotoShelf {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, "shop-images");
  }

  /** Keeps the photo; one that is there already counts as kept at `now`. */
  async keep(hash: string, { large, small }: EncodedPhoto, now: Date): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await this.#write(`${hash}-${SMALL_PHOTO_WIDTH}.webp`, small, now);
    await this.#write(`${hash}.webp`, large, now);
  }

  /** The file of this name; null when there is none. */
  async read(name: string): Promise<Buffer | null> {
    if (!FILE_NAME.test(name)) return null;
    return readFile(join(this.#folder, name)).catch(toNullWhenMissing);
  }

  /** The hashes of the photos that were kept before `date`. */
  async keptBefore(date: Date): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(toNullWhenMissing)) ?? [];
    const hashes: string[] = [];
    for (const name of names) {
      const [, hash, small] = FILE_NAME.exec(name) ?? [];
      if (hash && !small && (await stat(join(this.#folder, name))).mtime < date) hashes.push(hash);
    }
    return hashes;
  }

  async remove(hash: string): Promise<void> {
    for (const name of [`${hash}.webp`, `${hash}-${SMALL_PHOTO_WIDTH}.webp`]) {
      await rm(join(this.#folder, name), { force: true });
    }
  }

  /** By way of a file beside it, so that nobody is ever served half of one. */
  async #write(name: string, bytes: Buffer, now: Date): Promise<void> {
    const part = join(this.#folder, `${name}.${randomUUID()}.part`);
    await writeFile(part, bytes, { flush: true });
    await utimes(part, now, now);
    await rename(part, join(this.#folder, name));
  }
}

function toNullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
