import { useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useOwnership, useSetUser } from "../../lib/session.ts";
import { restoreFiles } from "../files/file-restore.ts";
import { onLoginRequired, stopUploadsOfOthers } from "../files/running-uploads.ts";
import { emptyDraft } from "./draft.ts";
import { draftFiles, openDraft } from "./draft-store.ts";

/** Stands for the draft on the server and while its page is hydrated. */
const BLANK = createStore(emptyDraft);

/**
 * The student's draft at this shop, empty until the browser's storage may be read; its uploads continue. If an upload
 * finds the session ended, the guard redirects to login and back, and it continues.
 */
export function useDraft(userId: string, shopId: string) {
  const isRead = useOwnership(userId) === "own";
  const store = isRead ? openDraft(userId, shopId) : BLANK;
  const chosen = useMemo(() => draftFiles(store, userId), [store, userId]);
  const draft = useStore(store);

  useEffect(() => {
    if (!isRead) return;
    stopUploadsOfOthers(userId);
    void restoreFiles(chosen);
  }, [chosen, userId, isRead]);

  const setUser = useSetUser();
  const logOut = useEffectEvent(() => void setUser(null));
  useEffect(() => onLoginRequired(() => logOut()), []);

  return { draft, chosen, change: store.setState, isRead };
}
