import "@mantine/core/styles/VisuallyHidden.layer.css";
import { VisuallyHidden } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import classes from "./file-list.module.css";
import { type FileActions, FileRow } from "./file-row.tsx";
import { filesText, pagesText } from "./file-words.ts";
import { type FileState, isUnderWay, type PrintFile, summariseUploads } from "./print-file.ts";
import { useFileStates } from "./upload-phases.ts";

const PageViewer = lazy(() => import("./page-viewer.tsx").then((module) => ({ default: module.PageViewer })));

interface FileListProps extends Omit<FileActions, "onOpen" | "onMove" | "onRemove"> {
  files: readonly PrintFile[];
  /** Moves the file and answers its new place, counted from 1. */
  onMove: (file: PrintFile, by: -1 | 1) => number;
  onRemove: (file: PrintFile) => void;
  /** Takes the focus when the last row is gone. */
  focusWhenEmpty: () => void;
}

/** The chosen files in the order in which they are printed. */
export function FileList({ files, onMove, onRemove, focusWhenEmpty, ...actions }: FileListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [openKey, setOpenKey] = useState<string | null>(null);
  const [moved, setMoved] = useState("");
  const opened = files.find(({ key }) => key === openKey);

  function move(file: PrintFile, by: -1 | 1) {
    const place = onMove(file, by);
    setMoved(`${file.name} is now number ${place} of ${files.length}`);
    const [first, second] = by < 0 ? ["up", "down"] : ["down", "up"];
    afterPaint(
      () => focusAction(list.current, file.key, first) || focusAction(list.current, file.key, second),
    );
  }

  function remove(file: PrintFile) {
    const index = files.indexOf(file);
    const neighbour = files[index + 1] ?? files[index - 1];
    onRemove(file);
    afterPaint(() => (neighbour ? focusAction(list.current, neighbour.key, "remove") : focusWhenEmpty()));
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
            isFirst={index === 0}
            isLast={index === files.length - 1}
            onMove={move}
            onRemove={remove}
            onOpen={() => setOpenKey(file.key)}
            {...actions}
          />
        ))}
      </ul>
      <Suspense>{opened && <PageViewer file={opened} onClose={() => setOpenKey(null)} />}</Suspense>
    </>
  );
}

/** What a screen reader says while uploads go on; it changes with each file, not with each byte. */
function useProgressText(files: readonly PrintFile[]): string {
  const states = useFileStates(files);
  if (files.length === 0) return "No files";
  const done = summariseUploads(files);
  const under = states.filter(isUnderWay).length;
  const stuck = states.filter(needsStudent).length;
  return [
    under > 0 && `Uploading ${filesText(under)}`,
    `${filesText(done.filesUrl.length)} uploaded, ${pagesText(done.totalPages)}`,
    stuck > 0 && `${filesText(stuck)} could not be uploaded`,
  ]
    .filter(Boolean)
    .join(". ");
}

function needsStudent({ step }: FileState): boolean {
  return step === "failed" || step === "missing";
}

function afterPaint(act: () => void): void {
  requestAnimationFrame(act);
}

/** False when that button cannot take the focus, as "up" cannot in the first row. */
function focusAction(list: HTMLElement | null, key: string, action: string | undefined): boolean {
  const button = list?.querySelector<HTMLButtonElement>(`[data-file="${key}"] [data-action="${action}"]`);
  button?.focus();
  return button !== null && document.activeElement === button;
}
