import { readConfig } from "#server/config.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { readArguments } from "./arguments.ts";
import { restoreBackup } from "./backup/restore-backup.ts";

// npm run restore -- FOLDER: puts a backup into an empty DATA_DIR, once all of it has been checked.

process.umask(0o077);

/** Where nothing listens: files are read elsewhere, but all deletions fail. */
const NOWHERE = "http://127.0.0.1:9";

try {
  const [folder = ""] = readArguments("Usage: npm run restore -- FOLDER", { least: 1, most: 1 });
  const config = readConfig(process.env);
  const { files, filesInApp, madeAt } = await restoreBackup(folder, config);
  console.log(`The store of ${madeAt} is in ${config.dataDir}, ${files.length} files`);
  if (!files.some(({ path }) => path === IN_DATA_DIR.secret)) {
    console.log("It had its SECRET from its settings: start it with the same one");
  }
  if (filesInApp) {
    console.log(`Its uploads and photos are at UploadThing: start it with a token of the app ${filesInApp}`);
    console.log(
      "Those that were deleted since are gone, and those that came since belong to no order of this store",
    );
    console.log(
      `To try it beside the running store, set UPLOADTHING_API_URL=${NOWHERE} too: this copy knows no later orders, and would delete their files there`,
    );
  }
} catch (error) {
  console.error(`Nothing was restored: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
