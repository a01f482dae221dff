import { readConfig } from "#server/config.ts";
import { readArguments } from "./arguments.ts";
import { moveFiles } from "./move-files/move-files.ts";

// npm run move-files: moves the files of the store of DATA_DIR to UploadThing. It may be interrupted, and run again.

process.umask(0o077);

try {
  readArguments("Usage: npm run move-files", {});
  const { moved, already, bytes, missing } = await moveFiles(readConfig(process.env), (line) => {
    console.log(line);
  });
  console.log(
    `Moved ${moved} files, ${(bytes / 1e6).toFixed(1)} MB, to UploadThing; ${already} were there already`,
  );
  if (missing > 0) console.log(`${missing} were not on the disk before either, and are not at UploadThing`);
} catch (error) {
  console.error(`The files are not all moved: ${reasonOf(error)}`);
  console.error("Nothing is lost. Run it again to go on");
  process.exitCode = 1;
}

/** The message with its cause, which only operators may see. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
