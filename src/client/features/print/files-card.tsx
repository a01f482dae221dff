import { Box } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { counted } from "#shared/format.ts";
import { MAX_FILES } from "#shared/order-limits.ts";
import { countPrinted, pagesText } from "#shared/print-pages.ts";
import type { Shop } from "#shared/schemas/shops.ts";
import { quotaText } from "#shared/upload-quota.ts";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy.tsx";
import {
  addPhotos,
  chooseAgain,
  moveFile,
  PHOTOS_PER_FILE,
  takeOff,
  useListActions,
} from "../files/file-actions.ts";
import { FileList } from "../files/file-list.tsx";
import { FilePicker } from "../files/file-picker.tsx";
import { type ChosenFiles, type PrintFile, summariseUploads, updateFile } from "../files/print-file.ts";
import { offerUndo } from "../files/removed-files.ts";
import { addFittingFiles, refuseRest } from "./add-files.ts";
import type { FileOptionsProps } from "./file-options.tsx";
import { type ChosenOptions, ownOptions } from "./print-plan.ts";

/** Loaded for a second file; one alone has the options of the order. */
const FileOptions = lazyPart<FileOptionsProps>(
  async () => (await import("./file-options.tsx")).FileOptions,
  () => null,
);

interface FilesCardProps {
  chosen: ChosenFiles;
  files: readonly PrintFile[];
  /** How many of the chosen pages are printed, counted from the first. */
  pages?: number | "all";
  /** The options of the order, where each file may have others of the shop. */
  order?: { shop: Shop; options: ChosenOptions | null };
  /** Shown in place of the list while there are no files. */
  offer?: ReactNode;
}

/** The files to print: add, upload, sort, view, remove. */
export function FilesCard({ chosen, files, pages = "all", order, offer }: FilesCardProps) {
  const { forget, rows } = useListActions(chosen);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const { filesUrl, orderPageData } = summariseUploads(files, pages);
  const usage = useQuotaUsage(filesUrl.length);

  function addPhotoPages(photos: File[]) {
    const room = Math.max(0, MAX_FILES - files.length);
    const fitting = photos.slice(0, room * PHOTOS_PER_FILE);
    for (let at = 0; at < fitting.length; at += PHOTOS_PER_FILE)
      addPhotos(chosen, fitting.slice(at, at + PHOTOS_PER_FILE));
    if (photos.length > fitting.length) refuseRest(photos.length - fitting.length);
  }

  function remove(file: PrintFile) {
    offerUndo({
      name: file.name,
      putBack: takeOff(chosen, file),
      forget: () => forget(file),
    });
  }

  return (
    <Card
      title="Your files"
      aside={
        filesUrl.length > 0 &&
        `${counted(filesUrl.length, "file")}, ${pagesText(countPrinted(orderPageData))}`
      }
    >
      <FilePicker
        onFiles={(picked) => addFittingFiles(chosen, picked)}
        onPhotos={addPhotoPages}
        chooseRef={chooseButton}
      />
      {usage && (
        <Box component="p" fz="sm" c="dimmed" mt="sm">
          {usage}.
        </Box>
      )}
      {files.length === 0 && offer}
      <FileList
        files={files}
        printed={orderPageData}
        onMove={(file, place) => moveFile(chosen, file.key, place)}
        onRemove={remove}
        {...rows}
        onChooseAgain={(file, [first, ...others]) => {
          chooseAgain(chosen, file, [first, ...others.slice(0, PHOTOS_PER_FILE - 1)]);
          addPhotoPages(others.slice(PHOTOS_PER_FILE - 1));
        }}
        paperNameOf={({ own }) => {
          const alone = order && ownOptions(order.shop, own?.options).paperSizes;
          return (alone ?? order?.options?.paperSizes)?.name ?? "A4";
        }}
        ownOptionsOf={(file) =>
          order?.options &&
          (files.length > 1 || file.own) && (
            <FileOptions
              shop={order.shop}
              file={file}
              options={order.options}
              onChange={(own) => updateFile(chosen, file.key, { own })}
            />
          )
        }
        focusWhenEmpty={() => chooseButton.current?.focus()}
      />
    </Card>
  );
}

/** How much space the student's files take, shown once it nears the limit; fetched again after each upload. */
function useQuotaUsage(uploaded: number): string | null {
  const { data, refetch } = trpc.files.room.useQuery(undefined, { enabled: uploaded > 0 });
  useEffect(() => {
    if (uploaded > 0) void refetch({ cancelRefetch: false });
  }, [uploaded, refetch]);
  return data && uploaded > 0 ? quotaText(data) : null;
}
