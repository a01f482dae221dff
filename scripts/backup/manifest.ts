import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type Sqlite from "better-sqlite3";
import { z } from "zod";
import { whyUnreadable } from "#db/migrate.ts";

const NAME = "manifest.json";

/** Leads nowhere but to files below the folder that it is taken from. */
const innerPath = z.string().regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/);

const manifestFile = z.object({
  format: z.literal(1),
  /** When the database was copied. */
  madeAt: z.iso.datetime(),
  /** What the database had gone through: its schema's version. */
  migrations: z.array(z.string()),
  /** The app at UploadThing that has the uploads and photos, which are no part of the backup then. */
  filesInApp: z.string().optional(),
  files: z.array(
    z.object({ path: innerPath, bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** What a backup consists of. */
export type Manifest = z.infer<typeof manifestFile>;
/** A file by its path in the backup, which is its path in the data folder too. */
export type ManifestEntry = Manifest["files"][number];

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, NAME), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** Throws where there is none, where it is not whole, and where this code cannot use its database. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, NAME), "utf8").catch(() => {
    throw new Error(`${folder} is no backup: there is no ${NAME} in it`);
  });
  const parsed = manifestFile.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`The backup is damaged: its ${NAME} cannot be read`);
  const reason = whyUnreadable(parsed.data.migrations);
  if (reason) throw new Error(`The backup ${reason}`);
  return parsed.data;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a backup is made of and where it goes. */
export interface Sources {
  /** The store's database, as it is by now. */
  live: Sqlite.Database;
  /** The copy in the backup, as the database was. */
  copy: Sqlite.Database;
  dataDir: string;
  /** Where the backup is written. */
  folder: string;
  /** When the database was copied. */
  madeAt: string;
}

/** What `attempt` gives; null where a file that it needs is not there. */
export async function orNull<Result>(attempt: Promise<Result>): Promise<Result | null> {
  return attempt.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
