import { Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { counted } from "#shared/format.ts";
import { MAX_FILES } from "#shared/order-limits.ts";
import { countPrinted, pagesText } from "#shared/print-pages.ts";
import { quotaText } from "#shared/upload-quota.ts";
import { trpc } from "#ui/trpc.ts";
import {
  addPhotos,
  chooseAgain,
  moveFile,
  removeFile,
  retryUpload,
  unlockFile,
} from "../files/file-actions.ts";
import { FileList } from "../files/file-list.tsx";
import { FilePicker } from "../files/file-picker.tsx";
import { type ChosenFiles, type PrintFile, summariseUploads, updateFile } from "../files/print-file.ts";
import { addFittingFiles, refuseRest } from "./add-files.ts";
import { Card } from "./card.tsx";

interface FilesCardProps {
  chosen: ChosenFiles;
  files: readonly PrintFile[];
  /** How many of the chosen pages are printed, counted from the first. */
  pages?: number | "all";
}

/** The files to print: add, upload, sort, view, remove. */
export function FilesCard({ chosen, files, pages = "all" }: FilesCardProps) {
  const { room } = trpc.useUtils().files;
  const removeFromStore = trpc.files.remove.useMutation({ onSuccess: () => room.invalidate() });
  const approve = trpc.files.approve.useMutation();
  const chooseButton = useRef<HTMLButtonElement>(null);
  const { filesUrl, orderPageData } = summariseUploads(files, pages);
  const usage = useQuotaUsage(filesUrl.length);

  function addPhotoPages(photos: File[]) {
    if (files.length < MAX_FILES) addPhotos(chosen, photos);
    else refuseRest(photos.length);
  }

  async function approveFile(file: PrintFile) {
    if (!file.uploaded) return;
    await approve.mutateAsync({ id: file.uploaded.id });
    updateFile(chosen, file.key, { isApproved: true });
  }

  function remove(file: PrintFile) {
    removeFile(chosen, file.key);
    // If this fails, the server deletes the file within a day.
    if (file.uploaded) removeFromStore.mutate({ id: file.uploaded.id });
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
        <Text size="sm" c="dimmed" mt="sm">
          {usage}.
        </Text>
      )}
      <FileList
        files={files}
        printed={orderPageData}
        onMove={(file, by) => moveFile(chosen, file.key, by)}
        onRemove={remove}
        onApprove={approveFile}
        onRanges={(file, ranges) => updateFile(chosen, file.key, { ranges })}
        onRetry={(file) => void retryUpload(chosen, file)}
        onUnlock={(file, password) => void unlockFile(chosen, file, password)}
        onChooseAgain={(file, replacement) => chooseAgain(chosen, file, replacement)}
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
