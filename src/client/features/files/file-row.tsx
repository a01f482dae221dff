import { IconArrowDown, IconArrowUp, IconEye, IconTrash } from "@tabler/icons-react";
import { holdPlace } from "#client/ui/hold-place.ts";
import { IconButton } from "#client/ui/icon-button.tsx";
import { FileRemedies } from "./file-remedies.tsx";
import classes from "./file-row.module.css";
import { FileStatus, UploadBar } from "./file-status.tsx";
import { FileThumbnail } from "./file-thumbnail.tsx";
import { PageChoiceField } from "./page-choice-field.tsx";
import type { OrderPageData, PrintFile } from "./print-file.ts";
import { useFileState } from "./upload-phases.ts";

export interface FileActions {
  onMove: (file: PrintFile, by: -1 | 1) => void;
  onRemove: (file: PrintFile) => void;
  onRetry: (file: PrintFile) => void;
  onChooseAgain: (file: PrintFile, replacement: File) => void;
  onOpen: (file: PrintFile) => void;
  /** Told which pages to print, as the student types it. */
  onRanges: (file: PrintFile, ranges: string) => void;
}

interface FileRowProps extends FileActions {
  file: PrintFile;
  /** Which of its pages are printed; undefined until it is uploaded. */
  printed: OrderPageData | undefined;
  isFirst: boolean;
  isLast: boolean;
}

export function FileRow({ file, printed, isFirst, isLast, ...actions }: FileRowProps) {
  const state = useFileState(file);
  const { name } = file;
  return (
    <li className={classes.row} data-file={file.key}>
      <FileThumbnail file={file} />
      <div className={classes.about}>
        <p className={classes.name}>{name}</p>
        <FileStatus file={file} state={state} />
        <div className={classes.below}>
          <UploadBar name={name} state={state} />
          {printed && (printed.pages > 1 || printed.pageRanges !== null) && (
            <PageChoiceField
              file={file}
              printed={printed}
              onChange={(ranges) => actions.onRanges(file, ranges)}
            />
          )}
          <FileRemedies
            file={file}
            state={state}
            onRetry={actions.onRetry}
            onChooseAgain={actions.onChooseAgain}
          />
        </div>
      </div>
      <div className={classes.actions}>
        <IconButton
          label={`Move ${name} up`}
          data-action="up"
          disabled={isFirst}
          onClick={() => actions.onMove(file, -1)}
        >
          <IconArrowUp size={20} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={`Move ${name} down`}
          data-action="down"
          disabled={isLast}
          onClick={() => actions.onMove(file, 1)}
        >
          <IconArrowDown size={20} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={`Look at the pages of ${name}`}
          data-action="open"
          disabled={state.step === "preparing" || state.step === "missing"}
          onClick={() => actions.onOpen(file)}
        >
          <IconEye size={20} aria-hidden="true" />
        </IconButton>
        <IconButton
          label={`Remove ${name}`}
          data-action="remove"
          onClick={(event) => {
            holdPlace(event);
            actions.onRemove(file);
          }}
        >
          <IconTrash size={20} aria-hidden="true" />
        </IconButton>
      </div>
    </li>
  );
}
