import { readConfig } from "#server/config.ts";
import { readArguments } from "./arguments.ts";
import { makeBackup } from "./backup/make-backup.ts";

// npm run backup [-- FOLDER]: copies the database and the files of the store of DATA_DIR, which may be running.

/** A backup contains students' documents and the store's secret: only the account that runs this may read it. */
process.umask(0o077);

try {
  const [folder = `backups/${new Date().toISOString().replace(/[:.]/g, "-")}`] = readArguments(
    "Usage: npm run backup [-- FOLDER]",
    { most: 1 },
  );
  const { files, filesInApp } = await makeBackup(folder, readConfig(process.env));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  console.log(`Backed up ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB, into ${folder}`);
  if (filesInApp)
    console.log(
      `Uploads and photos are at UploadThing, in the app ${filesInApp}, and are not part of this backup`,
    );
} catch (error) {
  console.error(`No backup was made: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
