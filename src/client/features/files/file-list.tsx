import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { counted } from "#shared/format.ts";
import { pagesText } from "#shared/print-pages.ts";
import { lazyDialog } from "../../ui/lazy.tsx";
import classes from "./file-row.module.css";
import { type FileActions, FileRow } from "./file-row.tsx";
import { isUnchecked, type OrderPageData, type PrintFile, summariseUploads } from "./print-file.ts";
import { isUnderWay, needsStudent, useFileStates } from "./upload-phases.ts";
import { usePageChecks } from "./use-page-checks.ts";

const usePageViewer = lazyDialog(async () => (await import("./page-viewer.tsx")).PageViewer);

interface FileListProps extends Omit<FileActions, "onOpen" | "onRemove" | "onMove"> {
  files: readonly PrintFile[];
  /** Which pages of the uploaded files are printed. */
  printed: readonly OrderPageData[];
  /** Given where the student sorts the files. */
  onMove?: FileActions["onMove"];
  onRemove: (file: PrintFile) => void;
  /** Records that the pages of a converted file look right. */
  onApprove: (file: PrintFile) => Promise<void>;
  /** The name of the paper that a file is printed on. */
  paperNameOf: (file: PrintFile) => string;
  /** The choice of other options for this file alone. */
  ownOptionsOf?: (file: PrintFile) => ReactNode;
  /** Gets the focus when the last row is removed. */
  focusWhenEmpty: () => void;
}

/** The student's files, in printing order. */
export function FileList({
  files,
  printed,
  onMove,
  onRemove,
  onApprove,
  paperNameOf,
  ownOptionsOf,
  focusWhenEmpty,
  ...actions
}: FileListProps) {
  const list = useRef<HTMLUListElement>(null);
  const viewer = usePageViewer();
  const [openedKey, setOpenedKey] = useState<string>();
  const seen = files.find(({ key }) => key === openedKey);
  const [moved, setMoved] = useState("");
  const focusAfterwards = useFocusAfterwards();
  const checks = usePageChecks(printed);

  function move(file: PrintFile, place: number) {
    const [first, second] = place < files.indexOf(file) ? ["up", "down"] : ["down", "up"];
    focusAfterwards(
      () => focusAction(list.current, file.key, first) || focusAction(list.current, file.key, second),
    );
    onMove?.(file, place);
    setMoved(`${file.name} is now number ${place + 1} of ${files.length}`);
  }

  function remove(file: PrintFile) {
    const index = files.indexOf(file);
    const neighbour = files[index + 1] ?? files[index - 1];
    focusAfterwards(() =>
      neighbour ? focusAction(list.current, neighbour.key, "remove") : focusWhenEmpty(),
    );
    onRemove(file);
  }

  function open(file: PrintFile) {
    setOpenedKey(file.key);
    viewer.open();
  }

  function close(file: PrintFile) {
    focusAfterwards(() => focusAction(list.current, file.key, "open"));
    viewer.close();
  }

  return (
    <>
      <VisuallyHidden role="status">{useProgressText(files)}</VisuallyHidden>
      <VisuallyHidden role="status">{moved}</VisuallyHidden>
      <ul ref={list} className={classes.list}>
        {files.map((file, index) => (
          <FileRow
            key={file.key}
            file={file}
            printed={printed.find(({ id }) => id === file.uploaded?.id)}
            checks={file.uploaded ? checks.get(file.uploaded.id) : undefined}
            paperName={paperNameOf(file)}
            ownOptions={ownOptionsOf?.(file)}
            place={index}
            isLast={index === files.length - 1}
            onMove={onMove && move}
            onRemove={remove}
            onOpen={open}
            {...actions}
          />
        ))}
      </ul>
      {viewer.Dialog && viewer.isOpen && seen && (
        <viewer.Dialog
          file={seen}
          printed={printed.find(({ id }) => id === seen.uploaded?.id)}
          onRanges={(ranges) => actions.onRanges(seen, ranges)}
          onApprove={isUnchecked(seen) ? () => onApprove(seen) : undefined}
          onClose={() => close(seen)}
        />
      )}
    </>
  );
}

/** Upload progress for screen readers; it changes per file, not per byte. */
function useProgressText(files: readonly PrintFile[]): string {
  const states = useFileStates(files);
  if (files.length === 0) return "No files";
  const { orderPageData: done } = summariseUploads(files);
  const pages = done.reduce((sum, file) => sum + file.pages, 0);
  const uploading = states.filter(isUnderWay).length;
  const unchecked = files.filter(isUnchecked).length;
  const stuck = states.filter(needsStudent).length;
  return [
    uploading > 0 && `Uploading ${counted(uploading, "file")}`,
    `${counted(done.length, "file")} uploaded, ${pagesText(pages)}`,
    unchecked > 0 && `${counted(unchecked, "file")} to check before you continue`,
    stuck > 0 && `${counted(stuck, "file")} could not be uploaded`,
  ]
    .filter(Boolean)
    .join(". ");
}

/** False if that button does not exist or is disabled, such as "up" in the first row. */
function focusAction(list: HTMLElement | null, key: string, action: string | undefined): boolean {
  const row = list?.querySelector(`[data-file="${key}"]`);
  const button = row?.querySelector<HTMLButtonElement>(`[data-action="${action}"]:not(:disabled)`);
  button?.focus();
  // A moved row keeps the focus, and its place may be out of sight.
  button?.scrollIntoView({ block: "nearest" });
  return Boolean(button);
}

/** Runs `act`, which moves the focus, right after the next render. */
function useFocusAfterwards(): (act: () => void) => void {
  const pending = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    pending.current?.();
    pending.current = null;
  });
  return (act) => {
    pending.current = act;
  };
}
