import "@mantine/core/styles/Progress.layer.css";
import { Progress } from "@mantine/core";
import { formatBytes } from "#shared/file-size.ts";
import { pagesText } from "#shared/page-words.ts";
import classes from "./file-row.module.css";
import type { FileState, PrintFile } from "./print-file.ts";

/** What a row says of its file. */
export function FileStatus({ file, state }: { file: PrintFile; state: FileState }) {
  const bad = state.step === "failed" || state.step === "missing";
  return (
    <p className={classes.status} data-bad={bad || undefined}>
      {describe(state, file)}
    </p>
  );
}

/** How much was sent. Full while the store counts; empty while there is no connection. */
export function UploadBar({ name, state }: { name: string; state: FileState }) {
  const share = shareSent(state);
  if (share === null) return null;
  return (
    <Progress.Root size="sm">
      <Progress.Section
        value={share * 100}
        animated={state.step === "counting"}
        aria-label={`Upload of ${name}`}
      />
    </Progress.Root>
  );
}

/** Null while nothing is on its way. */
function shareSent(state: FileState): number | null {
  if (state.step === "uploading") return state.share;
  if (state.step === "counting") return 1;
  return state.step === "waiting" ? 0 : null;
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
