import { useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import { useSetUser } from "../../lib/session.ts";
import { restoreFiles } from "../files/file-restore.ts";
import { onLoginRequired, stopUploadsOfOthers } from "../files/running-uploads.ts";
import { draftFiles, openDraft } from "./draft-store.ts";

/**
 * The student's draft at this shop; its uploads continue. If an upload finds the session ended, the guard redirects
 * to login and back, and it continues.
 */
export function useDraft(userId: string, shopId: string) {
  const store = openDraft(userId, shopId);
  const chosen = useMemo(() => draftFiles(store, userId), [store, userId]);
  const draft = useStore(store);

  useEffect(() => {
    stopUploadsOfOthers(userId);
    void restoreFiles(chosen);
  }, [chosen, userId]);

  const setUser = useSetUser();
  const logOut = useEffectEvent(() => void setUser(null));
  useEffect(() => onLoginRequired(() => logOut()), []);

  return { draft, chosen, change: store.setState };
}
