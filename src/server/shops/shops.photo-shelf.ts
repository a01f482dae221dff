import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SMALL_PHOTO_WIDTH } from "#shared/shop-photos.ts";
import { IN_DATA_DIR } from "../data-dir.ts";
import type { EncodedPhoto } from "./shops.photo-codec.ts";

const FILE_NAME = new RegExp(`^([0-9a-f]{32})(-${SMALL_PHOTO_WIDTH})?\\.webp$`);

const PART = ".part";

/** The shop photos in one folder, each in two files named by the photo's hash. */
export class PhotoShelf {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, IN_DATA_DIR.shopPhotos);
  }

  /** Keeps the photo; one that is there already counts as kept at `now`. */
  async keep(hash: string, { large, small }: EncodedPhoto, now: Date): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const names = photoFiles(hash);
    await this.#write(names.small, small, now);
    await this.#write(names.large, large, now);
  }

  /** The file of this name; null when there is none. */
  async read(name: string): Promise<Buffer | null> {
    if (!FILE_NAME.test(name)) return null;
    return readFile(join(this.#folder, name)).catch(toNullWhenMissing);
  }

  /** The hashes of the photos that were kept before `date`, also of one whose server was killed at its second file. */
  async keptBefore(date: Date): Promise<string[]> {
    const names = await this.#writtenBefore(date);
    return [...new Set(names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []))];
  }

  /** Removes what was half-written before `date`. */
  async removeHalfWritten(date: Date): Promise<void> {
    for (const name of await this.#writtenBefore(date)) {
      if (name.endsWith(PART)) await rm(join(this.#folder, name), { force: true });
    }
  }

  async remove(hash: string): Promise<void> {
    const { large, small } = photoFiles(hash);
    for (const name of [large, small]) await rm(join(this.#folder, name), { force: true });
  }

  async #writtenBefore(date: Date): Promise<string[]> {
    const names = (await readdir(this.#folder).catch(toNullWhenMissing)) ?? [];
    const isOld = async (name: string) => (await stat(join(this.#folder, name))).mtime < date;
    const old = await Promise.all(names.map(isOld));
    return names.filter((_name, index) => old[index]);
  }

  /** By way of a file beside it, so that nobody is ever served half of one. */
  async #write(name: string, bytes: Buffer, now: Date): Promise<void> {
    const part = join(this.#folder, `${name}.${randomUUID()}${PART}`);
    await writeFile(part, bytes, { flush: true });
    await utimes(part, now, now);
    await rename(part, join(this.#folder, name));
  }
}

/** The hash of the photo that a file of this name belongs to; null for another name. */
export function hashOfFile(name: string): string | null {
  return FILE_NAME.exec(name)?.[1] ?? null;
}

/** The names under which the folder holds a photo. */
export function photoFiles(hash: string): { large: string; small: string } {
  return { large: `${hash}.webp`, small: `${hash}-${SMALL_PHOTO_WIDTH}.webp` };
}

function toNullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
