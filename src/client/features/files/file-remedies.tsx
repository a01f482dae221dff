import { Button, FileButton } from "@mantine/core";
import classes from "./file-row.module.css";
import type { FileState, PrintFile } from "./print-file.ts";

interface FileRemediesProps {
  file: PrintFile;
  state: FileState;
  onRetry: (file: PrintFile) => void;
  onChooseAgain: (file: PrintFile, replacement: File) => void;
}

/** What the student can do about a file that could not be uploaded. */
export function FileRemedies({ file, state, onRetry, onChooseAgain }: FileRemediesProps) {
  if (state.step !== "failed" && state.step !== "missing") return null;
  const choose = state.step === "missing" ? "Choose again" : "Choose another file";
  return (
    <div className={classes.remedies}>
      {state.step === "failed" && (
        <Button
          size="compact-md"
          variant="default"
          aria-label={`Retry ${file.name}`}
          onClick={() => onRetry(file)}
        >
          Retry
        </Button>
      )}
      <FileButton
        accept="application/pdf,.pdf"
        inputProps={{ "aria-label": `${choose} for ${file.name}` }}
        onChange={(replacement) => replacement && onChooseAgain(file, replacement)}
      >
        {(props) => (
          <Button {...props} size="compact-md" variant="default" aria-label={`${choose} for ${file.name}`}>
            {choose}
          </Button>
        )}
      </FileButton>
    </div>
  );
}
