import { Button } from "@mantine/core";
import { type DragEvent, type ReactNode, type Ref, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { isOfKind } from "#shared/file-formats.ts";
import { FAILURE } from "#shared/messages.ts";
import { FileButton } from "#ui/file-button.tsx";
import TbFileUpload from "~icons/tabler/file-upload";
import TbPhotoPlus from "~icons/tabler/photo-plus";
import { showError } from "../../ui/popup/popup-store.ts";
import classes from "./file-picker.module.css";
import { PHOTO_TYPES, useFormats } from "./use-formats.ts";

interface FilePickerProps {
  onFiles: (files: File[]) => void;
  onPhotos: (photos: File[]) => void;
  /** Ref of the button that opens the file dialog, for returning the focus. */
  chooseRef: Ref<HTMLButtonElement>;
}

/** Adds documents by file dialog or drag and drop, and photos by a second button. */
export function FilePicker({ onFiles, onPhotos, chooseRef }: FilePickerProps) {
  const formats = useFormats();
  const { isConverting, types, accept, chooseLabel } = formats;
  const [arePhotos, setArePhotos] = useState(false);

  function addPhotos(photos: File[]): void {
    if (photos.length > 0) onPhotos(photos);
  }

  function add(picked: File[]): void {
    const fitting = picked.filter((file) => isOfKind(file, formats));
    const refused = picked.filter((file) => !fitting.includes(file));
    if (fitting.length > 0) onFiles(fitting);
    if (refused.length > 0)
      explainRejection(
        refused.map(({ name }) => name),
        isConverting,
      );
  }

  return (
    <DropZone types={types} onDrop={add}>
      <div className={classes.buttons}>
        <FileButton
          multiple
          accept={arePhotos ? PHOTO_TYPES : accept}
          inputProps={{ "aria-label": isConverting ? "Files" : "PDF files" }}
          onChange={(picked) => (arePhotos ? addPhotos(picked) : add(picked))}
        >
          {({ onClick: open }) => {
            const ask = (forPhotos: boolean) => () => {
              // The dialog offers what the field accepts at this moment.
              flushSync(() => setArePhotos(forPhotos));
              open();
            };
            return (
              <>
                <Button
                  ref={chooseRef}
                  size="md"
                  leftSection={<TbFileUpload size={20} />}
                  onClick={ask(false)}
                >
                  {chooseLabel}
                </Button>
                <Button
                  size="md"
                  variant="default"
                  leftSection={<TbPhotoPlus size={20} />}
                  onClick={ask(true)}
                >
                  Add photos
                </Button>
              </>
            );
          }}
        </FileButton>
      </div>
      <p className={classes.drop}>or drop {isConverting ? "files" : "PDFs"} here</p>
      <p className={classes.hint}>
        PDF, WORDX, PPTX, PNG, JPG or JPEG up to 10MB
        <br />
        {isConverting
          ? "Word, PowerPoint, Excel and text files become PDFs, which you check before you order."
          : "Save Word and PowerPoint files as PDF first."}{" "}
        Photos become A4 pages, one each.
      </p>
    </DropZone>
  );
}

function explainRejection([first = "", ...others]: string[], isConverting: boolean): void {
  const names = others.length > 0 ? `“${first}” and ${others.length} more` : `“${first}”`;
  const are = others.length > 0 ? "are not PDFs" : "is not a PDF";
  const text = isConverting
    ? `${names} cannot be printed from here. Save documents of other kinds as PDF, and add photos with ‘Add photos’.`
    : `${names} ${are}. Save documents as PDF first, and add photos with ‘Add photos’.`;
  showError({ title: FAILURE.upload, text });
}

interface DropZoneProps {
  /** Media types, to show while something is dragged whether it can be dropped; names are not known before. */
  types: readonly string[];
  onDrop: (files: File[]) => void;
  children: ReactNode;
}

/** Takes dropped files and folders. It has `data-accept` or `data-reject` while something is dragged over it. */
function DropZone({ types, onDrop, children }: DropZoneProps) {
  const [over, setOver] = useState<"accept" | "reject" | null>(null);
  useEffect(ignoreMissedDrops, []);

  function dragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    const items = [...event.dataTransfer.items];
    // Folders have no type, nor have files whose kind the system does not know.
    setOver(items.every(({ type }) => type === "" || types.includes(type)) ? "accept" : "reject");
  }

  function dragLeave({ currentTarget, relatedTarget }: DragEvent): void {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(null);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(null);
    droppedFiles(event.dataTransfer).then(onDrop, () =>
      showError({
        title: FAILURE.upload,
        text: "Your browser could not read it. Please choose the files instead",
      }),
    );
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button in it does the same
    <div
      className={classes.zone}
      data-accept={over === "accept" || undefined}
      data-reject={over === "reject" || undefined}
      onDragOver={dragOver}
      onDragLeave={dragLeave}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

/** A browser would leave the page to show a file that was dropped beside the zone. */
function ignoreMissedDrops(): () => void {
  const ignore = (event: Event) => event.preventDefault();
  document.addEventListener("dragover", ignore);
  document.addEventListener("drop", ignore);
  return () => {
    document.removeEventListener("dragover", ignore);
    document.removeEventListener("drop", ignore);
  };
}

/** The dropped files, and those in dropped folders. Reads `items` at once, as they are empty after the event. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry());
  if (!entries.some((entry) => entry?.isDirectory)) return [...files];
  return (await Promise.all(entries.map((entry) => (entry ? filesOf(entry) : [])))).flat();
}

async function filesOf(entry: FileSystemEntry): Promise<File[]> {
  // Such as .DS_Store, which nobody dropped knowingly.
  if (entry.name.startsWith(".")) return [];
  if (entry.isFile)
    return [await new Promise<File>((...done) => (entry as FileSystemFileEntry).file(...done))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // Each call returns some of the entries, the last one none.
  while (true) {
    const some = await new Promise<FileSystemEntry[]>((...done) => reader.readEntries(...done));
    if (some.length === 0) return files;
    files.push(...(await Promise.all(some.map(filesOf))).flat());
  }
}
