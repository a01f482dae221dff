import "@mantine/core/styles/Progress.layer.css";
import { Button, Progress } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { isOfficeFile } from "#shared/file-formats.ts";
import { formatBytes } from "#shared/format.ts";
import type { PageChecks } from "#shared/page-checks.ts";
import { pagesText } from "#shared/print-pages.ts";
import { pressOnce } from "#ui/double-press.ts";
import { IconButton } from "#ui/icon-button.tsx";
import TbArrowDown from "~icons/tabler/arrow-down";
import TbArrowUp from "~icons/tabler/arrow-up";
import TbEye from "~icons/tabler/eye";
import TbGripVertical from "~icons/tabler/grip-vertical";
import TbTrash from "~icons/tabler/trash";
import { importOnline } from "../../lib/connection.ts";
import { lazyPart } from "../../ui/lazy.tsx";
import type { FileNotesProps } from "./file-notes.tsx";
import { FileRemedies, type FileRemedyActions } from "./file-remedies.tsx";
import classes from "./file-row.module.css";
import { FileThumbnail } from "./file-thumbnail.tsx";
import { PageChoice } from "./page-choice.tsx";
import { isUnchecked, type OrderPageData, type PrintFile } from "./print-file.ts";
import { type FileState, needsStudent, useFileState } from "./upload-phases.ts";

/** Loaded for the first file that was checked; an order can do without. */
const FileNotes = lazyPart<FileNotesProps>(
  async () => (await import("./file-notes.tsx")).FileNotes,
  () => null,
);

export interface FileActions extends FileRemedyActions {
  /** Called with its new place in the list, from 0; undefined where the file keeps its place. */
  onMove: ((file: PrintFile, place: number) => void) | undefined;
  onRemove: (file: PrintFile) => void;
  onOpen: (file: PrintFile) => void;
  /** Called with the typed page ranges. */
  onRanges: (file: PrintFile, ranges: string) => void;
}

interface FileRowProps extends FileActions {
  file: PrintFile;
  /** Which pages are printed; undefined until it is uploaded. */
  printed: OrderPageData | undefined;
  /** What was found on its pages; undefined until they are checked. */
  checks: PageChecks | undefined;
  /** The name of the paper that it is printed on. */
  paperName: string;
  /** The choice of other options for this file alone. */
  ownOptions: ReactNode;
  /** In the list, from 0. */
  place: number;
  isLast: boolean;
}

export function FileRow({
  file,
  printed,
  checks,
  paperName,
  ownOptions,
  place,
  isLast,
  onMove,
  ...actions
}: FileRowProps) {
  const state = useFileState(file);
  const { name } = file;
  return (
    <li className={classes.row} data-file={file.key}>
      <FileThumbnail file={file} />
      <div className={classes.about}>
        <p className={classes.name}>{name}</p>
        <FileStatus file={file} state={state} />
        {ownOptions && !needsStudent(state) && (
          <div className={classes.own}>
            <Suspense>{ownOptions}</Suspense>
          </div>
        )}
        <div className={classes.below}>
          <UploadBar name={name} state={state} />
          {printed && (printed.pages > 1 || printed.pageRanges !== null) && (
            <PageChoice
              file={file}
              printed={printed}
              onChange={(ranges) => actions.onRanges(file, ranges)}
              onOpen={() => actions.onOpen(file)}
            />
          )}
          {printed && checks && (
            <Suspense>
              <FileNotes
                printed={printed}
                checks={checks}
                paperName={paperName}
                onRanges={(ranges) => actions.onRanges(file, ranges)}
              />
            </Suspense>
          )}
          {isUnchecked(file) && (
            <div className={classes.check}>
              <p>Made into a PDF for you. Look through its pages before you order.</p>
              <Button
                size="md"
                aria-label={`Check the pages of ${name}`}
                onClick={() => actions.onOpen(file)}
              >
                Check the pages
              </Button>
            </div>
          )}
          <FileRemedies
            file={file}
            state={state}
            onRetry={actions.onRetry}
            onUnlock={actions.onUnlock}
            onChooseAgain={actions.onChooseAgain}
          />
        </div>
      </div>
      <div className={classes.actions}>
        {onMove && (
          <>
            <Grip isAlone={place === 0 && isLast} onDrop={(wanted) => onMove(file, wanted)} />
            <IconButton
              label={`Move ${name} up`}
              data-action="up"
              disabled={place === 0}
              onClick={() => onMove(file, place - 1)}
            >
              <TbArrowUp size={20} />
            </IconButton>
            <IconButton
              label={`Move ${name} down`}
              data-action="down"
              disabled={isLast}
              onClick={() => onMove(file, place + 1)}
            >
              <TbArrowDown size={20} />
            </IconButton>
          </>
        )}
        <IconButton
          label={`View pages of ${name}`}
          data-action="open"
          disabled={!isViewable(file, state)}
          onClick={() => actions.onOpen(file)}
        >
          <TbEye size={20} />
        </IconButton>
        <IconButton
          label={`Remove ${name}`}
          data-action="remove"
          onClick={pressOnce(() => actions.onRemove(file))}
        >
          <TbTrash size={20} />
        </IconButton>
      </div>
    </li>
  );
}

interface GripProps {
  isAlone: boolean;
  onDrop: (place: number) => void;
}

/** Drags the row with a mouse or a finger; the buttons beside it do the same by key. */
function Grip({ isAlone, onDrop }: GripProps) {
  return (
    <span
      className={classes.grip}
      data-alone={isAlone || undefined}
      aria-hidden="true"
      title="Drag to change the order of printing"
      onPointerDown={({ currentTarget, nativeEvent }) => {
        if (!isAlone) void drag(currentTarget, nativeEvent, onDrop);
      }}
    >
      <TbGripVertical size={20} />
    </span>
  );
}

const importDragging = importOnline(() => import("./drag-row.ts"));

/** Nothing happens without a connection, and when the grip is let go before the script is there. */
async function drag(grip: HTMLElement, press: PointerEvent, onDrop: (place: number) => void): Promise<void> {
  grip.setPointerCapture(press.pointerId);
  const { dragRow } = await importDragging();
  if (grip.hasPointerCapture(press.pointerId)) dragRow(grip, press, onDrop);
}

/** A document has no pages to show before the store has made a PDF of it. */
function isViewable({ name, uploaded }: PrintFile, { step }: FileState): boolean {
  if (!uploaded && isOfficeFile({ name })) return false;
  return step !== "preparing" && step !== "locked" && step !== "missing";
}

/** The row's status text. */
function FileStatus({ file, state }: { file: PrintFile; state: FileState }) {
  return (
    <p className={classes.status} data-bad={needsStudent(state) || undefined}>
      {describe(state, file)}
    </p>
  );
}

/** Upload progress: full while the server counts pages, empty while offline. */
function UploadBar({ name, state }: { name: string; state: FileState }) {
  const share = shareSent(state);
  if (share === null) return null;
  return (
    <Progress.Root size="sm">
      <Progress.Section
        value={share * 100}
        animated={state.step === "counting" || state.step === "converting"}
        aria-label={`Upload of ${name}`}
      />
    </Progress.Root>
  );
}

/** Null while nothing is uploading. */
function shareSent(state: FileState): number | null {
  if (state.step === "uploading") return state.share;
  if (state.step === "counting" || state.step === "converting") return 1;
  return state.step === "waiting" ? 0 : null;
}

function describe(state: FileState, { bytes }: PrintFile): string {
  const size = formatBytes(bytes);
  switch (state.step) {
    case "preparing":
      return "Making the pages…";
    case "queued":
      return `${size} · waiting to upload`;
    case "uploading":
      return `${size} · uploading, ${Math.floor(state.share * 100)}%`;
    case "counting":
      return `${size} · counting pages…`;
    case "converting":
      return `${size} · Converting…`;
    case "waiting":
      return `${size} · Waiting for the internet`;
    case "done":
      return `${pagesText(state.pages)} · ${size}`;
    default:
      return state.message;
  }
}
