import { trpc } from "#ui/trpc.ts";
import { forgetFile, retryUpload, unlockFile } from "./file-actions.ts";
import { type ChosenFiles, type PrintFile, updateFile } from "./print-file.ts";

/** What each list of a student's files does alike, as its rows call it. */
export function useListActions(chosen: ChosenFiles) {
  const {
    client,
    files: { room },
  } = trpc.useUtils();
  const approve = trpc.files.approve.useMutation();
  return {
    /** Deletes a file that was taken off the list, in this browser and in the store. */
    async forget(file: PrintFile): Promise<void> {
      forgetFile(file.key);
      // If this fails, the server deletes the file within a day.
      if (file.uploaded) await client.files.remove.mutate({ id: file.uploaded.id }).catch(() => {});
      await room.invalidate();
    },
    rows: {
      async onApprove(file: PrintFile): Promise<void> {
        if (!file.uploaded) return;
        await approve.mutateAsync({ id: file.uploaded.id });
        updateFile(chosen, file.key, { isApproved: true });
      },
      onRanges: (file: PrintFile, ranges: string) => updateFile(chosen, file.key, { ranges }),
      onRetry: (file: PrintFile) => retryUpload(chosen, file),
      onUnlock: (file: PrintFile, password: string) => unlockFile(chosen, file, password),
    },
  };
}
