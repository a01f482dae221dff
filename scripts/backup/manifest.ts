import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { incompatibilityOf } from "#db/migrate.ts";

const NAME = "manifest.json";

/** A relative path that cannot leave its folder. */
const innerPath = z.string().regex(/^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/);

const manifestFile = z.object({
  format: z.literal(1),
  /** When the database was copied. */
  madeAt: z.iso.datetime(),
  /** The migrations that were applied to the database. */
  migrations: z.array(z.string()),
  /** The UploadThing app that has the uploads and photos; they are then not in the backup. */
  filesInApp: z.string().optional(),
  files: z.array(
    z.object({ path: innerPath, bytes: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
});

/** The contents of a backup. */
export type Manifest = z.infer<typeof manifestFile>;
/** A file; its path is the same in the backup and in the data folder. */
export type ManifestEntry = Manifest["files"][number];

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await writeFile(join(folder, NAME), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
}

/** Throws if there is no manifest, if it is damaged, or if this code cannot use the database of the backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, NAME), "utf8").catch(() => {
    throw new Error(`${folder} is no backup: there is no ${NAME} in it`);
  });
  const parsed = manifestFile.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(`The backup is damaged: its ${NAME} cannot be read`);
  const reason = incompatibilityOf(parsed.data.migrations);
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
