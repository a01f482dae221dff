import { Progress } from "@mantine/core";
import "@mantine/core/styles/Progress.layer.css";
import { formatBytes } from "#client/ui/file-size.ts";
import classes from "./file-row.module.css";
import { pagesText } from "./file-words.ts";
import type { FileState, PrintFile } from "./print-file.ts";

/** What a row says of its file, and how far it is. */
export function FileStatus({ file, state }: { file: PrintFile; state: FileState }) {
  const bad = state.step === "failed" || state.step === "missing";
  return (
    <>
      <p className={classes.status} data-bad={bad || undefined}>
        {describe(state, file)}
      </p>
      {(state.step === "uploading" || state.step === "counting" || state.step === "waiting") && (
        <Progress.Root size="sm" className={classes.progress}>
          <Progress.Section
            value={state.step === "uploading" ? state.share * 100 : state.step === "counting" ? 100 : 0}
            animated={state.step === "counting"}
            aria-label={`Upload of ${file.name}`}
          />
        </Progress.Root>
      )}
    </>
  );
}

function describe(state: FileState, { bytes }: PrintFile): string {
  const size = formatBytes(bytes);
  switch (state.step) {
    case "preparing":
      return "Making the pages…";
    case "queued":
      return `${size} · waits for its turn`;
    case "uploading":
      return `${size} · uploading, ${Math.floor(state.share * 100)}%`;
    case "counting":
      return `${size} · counting its pages…`;
    case "waiting":
      return `${size} · no connection; goes on by itself when it is back`;
    case "done":
      return `${pagesText(state.pages)} · ${size}`;
    default:
      return state.message;
  }
}
