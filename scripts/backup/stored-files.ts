import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type Sqlite from "better-sqlite3";
import { storedPath } from "#server/files/storage/file-store.ts";
import { appOfLocation } from "#server/files/storage/location.service.ts";
import { LOCATION_FACT } from "#server/files/storage/storage.queries.ts";
import { freeBytes } from "#server/http/disk-space.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { photoFiles } from "#server/shops/photos.service.ts";
import { photoHash } from "#shared/photos.ts";
import type { ManifestEntry } from "./manifest.ts";

/** Where a backup is made from and written to. */
export interface Sources {
  /** The store's database, which may have changed since `copy`. */
  live: Sqlite.Database;
  /** The snapshot of the database in the backup. */
  copy: Sqlite.Database;
  dataDir: string;
  /** Where the backup is written. */
  folder: string;
  /** When the database was copied. */
  madeAt: string;
  /** What must stay free on the disk of `folder`. */
  leaveBytes: number;
}

/** A table whose rows refer to bytes in the file store, with a column `deleted_at`. */
interface StoringTable {
  name: string;
  /** Selects rows as `StoredFile`. */
  columns: string;
  /** SQL that records that the bytes are gone. */
  forget: string;
}

const TABLES: StoringTable[] = [
  {
    name: "files",
    columns: "id, bytes, sha256, order_id as neededBy",
    forget: "update files set deleted_at = :at, erased_at = :at where id = :id",
  },
  {
    name: "reprint_photos",
    columns: "id, bytes, null as sha256, reprint_id as neededBy",
    forget: "delete from reprint_photos where id = :id",
  },
];

interface StoredFile {
  /** Also its key in the file store. */
  id: string;
  bytes: number;
  /** Null if not recorded. */
  sha256: string | null;
  /** The order or report that it belongs to, if any. */
  neededBy: string | null;
}

/**
 * Copies every upload that the copied database refers to. One that was deleted since the snapshot is deleted in the copy
 * too. Throws if any other is missing or has changed.
 */
export async function copyStoredFiles(sources: Sources): Promise<ManifestEntry[]> {
  const { copy, dataDir, folder } = sources;
  const entries: ManifestEntry[] = [];
  for (const table of TABLES) {
    for (const file of filesOf(copy, table)) {
      const path = pathOf(file);
      await requireRoom(sources, file.bytes);
      const copied = await orNull(copyAndSync(join(dataDir, path), join(folder, path)));
      if (!copied) forget(sources, table, file);
      else if (isAsUploaded(file, copied)) entries.push({ path, ...copied });
      else throw new Error(`The data folder is damaged: ${path} is not what was uploaded`);
    }
  }
  return entries;
}

/** Throws where so many bytes more would leave too little on the disk, which the store needs for orders. */
export async function requireRoom(
  { folder, leaveBytes }: Pick<Sources, "folder" | "leaveBytes">,
  bytes: number,
): Promise<void> {
  if ((await freeBytes(folder)) - bytes >= leaveBytes) return;
  throw new Error(
    "its disk has too little room. On the disk of DATA_DIR, half of MIN_FREE_MB must stay free for orders",
  );
}

/** Throws unless these entries contain every upload that the database refers to. */
export function checkStoredFiles(database: Sqlite.Database, entries: ManifestEntry[]): void {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  for (const file of TABLES.flatMap((table) => filesOf(database, table))) {
    const entry = byPath.get(pathOf(file));
    if (!entry || !isAsUploaded(file, entry)) {
      throw new Error(`The backup is damaged: ${pathOf(file)}, which its database counts on, is not in it`);
    }
  }
}

function filesOf(database: Sqlite.Database, { name, columns }: StoringTable): StoredFile[] {
  return database
    .prepare<[], StoredFile>(`select ${columns} from ${name} where deleted_at is null order by id`)
    .all();
}

function pathOf({ id }: StoredFile): string {
  return storedPath(IN_DATA_DIR.files, id);
}

function isAsUploaded({ bytes, sha256 }: StoredFile, found: Omit<ManifestEntry, "path">): boolean {
  return found.bytes === bytes && (sha256 === null || found.sha256 === sha256);
}

/**
 * The bytes of an order or a report are removed only after its row says so, so a missing one is damage. A file that
 * belongs to neither is deleted within a day anyway, and stops no backup.
 */
function forget({ live, copy, madeAt }: Sources, { name, forget }: StoringTable, file: StoredFile): void {
  const now = live
    .prepare<[string], { deleted_at: string | null }>(`select deleted_at from ${name} where id = ?`)
    .get(file.id);
  if (now && !now.deleted_at && file.neededBy) {
    throw new Error(`The data folder is damaged: ${pathOf(file)}, which ${file.neededBy} needs, is missing`);
  }
  copy.prepare(forget).run({ id: file.id, at: now?.deleted_at ?? madeAt });
}

/** Copies the photos of shops. Throws if one is missing that a shop still shows. */
export async function copyShopPhotos({ live, copy, dataDir, folder }: Sources): Promise<ManifestEntry[]> {
  const entries: ManifestEntry[] = [];
  for (const hash of photosOf(copy)) {
    for (const name of Object.values(photoFiles(hash))) {
      const path = join(IN_DATA_DIR.shopPhotos, name);
      const copied = await orNull(copyAndSync(join(dataDir, path), join(folder, path)));
      if (copied) entries.push({ path, ...copied });
      else if (photosOf(live).has(hash)) throw new Error(`The data folder is damaged: ${path} is missing`);
    }
  }
  return entries;
}

/** The hashes of the photos that shops show. */
function photosOf(database: Sqlite.Database): Set<string> {
  const images = database.prepare<[], string>("select image from shops").pluck().all();
  return new Set(images.map(photoHash).filter((hash) => hash !== undefined));
}

/**
 * The UploadThing app that has the store's files; null if they are on the disk. Files at UploadThing are not backed up.
 */
export function appWithFiles(database: Sqlite.Database): string | null {
  const home = factOf(database, LOCATION_FACT);
  return home === undefined ? null : appOfLocation(home);
}

/** What the store has recorded under this name. */
export function factOf(database: Sqlite.Database, name: string): string | undefined {
  return database.prepare<[string], string>("select value from store_facts where name = ?").pluck().get(name);
}

export interface Measured {
  bytes: number;
  sha256: string;
}

/** Copies a file, creating its folders, and returns the size and hash of the synced copy. */
export async function copyAndSync(source: string, target: string): Promise<Measured> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  return withFile(target, async (copy) => {
    await copy.sync();
    return measure(copy.createReadStream({ autoClose: false }));
  });
}

export function measureFile(path: string): Promise<Measured> {
  return withFile(path, (file) => measure(file.createReadStream({ autoClose: false })));
}

/** Syncs a folder and all folders in it. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  }
  await syncFolder(folder);
}

export function syncFolder(folder: string): Promise<void> {
  return withFile(folder, (handle) => handle.sync());
}

/** The size and hash of what a stream brings. */
export async function measure(chunks: AsyncIterable<Uint8Array>): Promise<Measured> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

/** The result of `attempt`; null if a file it needs does not exist. */
export function orNull<Result>(attempt: Promise<Result>): Promise<Result | null> {
  return attempt.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
