import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import { restoreFiles } from "../files/file-restore.ts";
import { stopUploadsOfOthers } from "../files/running-uploads.ts";
import { fileShelf, openDraft } from "./draft-store.ts";

/** The student's draft at this shop, with its uploads going on. */
export function useDraft(userId: string, shopId: string) {
  const store = openDraft(userId, shopId);
  const shelf = useMemo(() => fileShelf(store, userId), [store, userId]);
  const draft = useStore(store);

  useEffect(() => {
    stopUploadsOfOthers(userId);
    void restoreFiles(shelf);
  }, [shelf, userId]);

  return { draft, shelf, change: store.setState };
}
