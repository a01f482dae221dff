import { Button } from "@mantine/core";
import { useRef } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { isOfKind, PHOTOS } from "#shared/file-formats.ts";
import { FAILURE } from "#shared/messages.ts";
import { chosenPagesText, NO_PAGES } from "#shared/print-pages.ts";
import { FileButton } from "#ui/file-button.tsx";
import { showError } from "../../ui/popup/popup-store.ts";
import { addFiles, addPhotos, PHOTOS_PER_FILE, takeOff, useListActions } from "../files/file-actions.ts";
import { FileList } from "../files/file-list.tsx";
import { type ChosenFiles, type PrintFile, summariseUploads } from "../files/print-file.ts";
import { PHOTO_TYPES, useFormats } from "../files/use-formats.ts";
import classes from "./order-hold.module.css";

type OrderFile = OwnOrderDetail["files"][number];

interface HeldFilesProps {
  order: OwnOrderDetail;
  /** The files that replace some of the order's, as their `replaces` says. */
  chosen: ChosenFiles;
  files: readonly PrintFile[];
  /** The name of the paper that a file of the order is printed on, by its place. */
  paperNameOf: (place: number) => string;
}

/** The printed files of an order on hold; each can be replaced by whatever the print page takes. */
export function HeldFiles({ order, chosen, files, paperNameOf }: HeldFilesProps) {
  return (
    <ul className={classes.files} aria-label="Files of the order">
      {order.files.map(
        (file, place) =>
          file.pageRanges !== NO_PAGES && (
            <HeldFile
              key={file.id}
              file={file}
              chosen={chosen}
              replacement={files.filter(({ replaces }) => replaces === file.id)}
              paperName={paperNameOf(place)}
            />
          ),
      )}
    </ul>
  );
}

interface HeldFileProps {
  file: OrderFile;
  chosen: ChosenFiles;
  /** The file that replaces it; empty until there is one. */
  replacement: PrintFile[];
  paperName: string;
}

function HeldFile({ file: { id, name, ...pages }, chosen, replacement, paperName }: HeldFileProps) {
  const button = useRef<HTMLButtonElement>(null);
  const formats = useFormats();
  const { forget, rows } = useListActions(chosen);
  const isReplaced = replacement.length > 0;

  function keep() {
    for (const file of replacement) {
      takeOff(chosen, file);
      void forget(file);
    }
    button.current?.focus();
  }

  function replace(picked: readonly File[]) {
    const arePhotos = picked.every((file) => isOfKind(file, PHOTOS));
    if (
      arePhotos
        ? picked.length > PHOTOS_PER_FILE
        : picked.length > 1 || !picked.every((file) => isOfKind(file, formats))
    ) {
      const document = formats.isConverting ? "one PDF or document" : "one PDF";
      const text = `“${name}” can be replaced by ${document}, or by up to ${PHOTOS_PER_FILE} photos. Save documents of other kinds as PDF first.`;
      return showError({ title: FAILURE.upload, text });
    }
    keep();
    if (arePhotos) addPhotos(chosen, picked, { replaces: id });
    else addFiles(chosen, picked, { replaces: id });
  }

  return (
    <li>
      <div className={classes.file}>
        <span className={classes.name}>
          {isReplaced ? <s>{name}</s> : name}
          <small>{isReplaced ? "replaced by" : chosenPagesText(pages)}</small>
        </span>
        <FileButton
          multiple
          accept={`${formats.accept},${PHOTO_TYPES}`}
          onChange={(picked) => picked.length > 0 && replace(picked)}
        >
          {(props) => (
            <Button {...props} ref={button} variant="default" aria-label={`Replace ${name}`}>
              Replace
            </Button>
          )}
        </FileButton>
      </div>
      {isReplaced && (
        <FileList
          files={replacement}
          printed={summariseUploads(replacement).orderPageData}
          {...rows}
          onRemove={keep}
          onChooseAgain={(_file, picked) => replace(picked)}
          paperNameOf={() => paperName}
          focusWhenEmpty={() => {}}
        />
      )}
    </li>
  );
}
