import { Button } from "@mantine/core";
import { type Ref, useRef } from "react";
import { FAILURE } from "#shared/messages.ts";
import { FileButton } from "#ui/file-button.tsx";
import TbFileUpload from "~icons/tabler/file-upload";
import TbPhotoPlus from "~icons/tabler/photo-plus";
import { showError } from "../../ui/popup/popup-store.ts";
import { DropZone } from "./drop-zone.tsx";
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
  const input = useRef<HTMLInputElement>(null);
  const formats = useFormats();
  const { isConverting, types, accept, chooseLabel } = formats;

  function add(picked: File[]): void {
    const fitting = picked.filter((file) => isAccepted(file, formats));
    const refused = picked.filter((file) => !fitting.includes(file));
    if (fitting.length > 0) onFiles(fitting);
    if (refused.length > 0)
      explainRejection(
        refused.map(({ name }) => name),
        isConverting,
      );
  }

  return (
    <DropZone className={classes.zone} types={types} onDrop={add}>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={accept}
        aria-label={isConverting ? "Files" : "PDF files"}
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = "";
        }}
      />
      <div className={classes.buttons}>
        <Button
          ref={chooseRef}
          size="md"
          leftSection={<TbFileUpload size={20} />}
          onClick={() => input.current?.click()}
        >
          {chooseLabel}
        </Button>
        <FileButton
          multiple
          accept={PHOTO_TYPES}
          onChange={(photos) => photos.length > 0 && onPhotos(photos)}
        >
          {(props) => (
            <Button {...props} size="md" variant="default" leftSection={<TbPhotoPlus size={20} />}>
              Add photos
            </Button>
          )}
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

/** Whether this file can be chosen as a document. */
export function isAccepted(
  { name, type }: File,
  { types, extensions }: ReturnType<typeof useFormats>,
): boolean {
  return types.includes(type) || extensions.some((extension) => name.toLowerCase().endsWith(extension));
}

function explainRejection([first = "", ...others]: string[], isConverting: boolean): void {
  const names = others.length > 0 ? `“${first}” and ${others.length} more` : `“${first}”`;
  const are = others.length > 0 ? "are not PDFs" : "is not a PDF";
  const text = isConverting
    ? `${names} cannot be printed from here. Save documents of other kinds as PDF, and add photos with ‘Add photos’.`
    : `${names} ${are}. Save documents as PDF first, and add photos with ‘Add photos’.`;
  void showError({ title: FAILURE.upload, text });
}
