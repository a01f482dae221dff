import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useOwnership, useSetUser } from "../../lib/session.ts";
import { joinUploads, restoreFiles } from "../files/file-restore.ts";
import { onLoginRequired, stopUploadsOfOthers } from "../files/running-uploads.ts";
import { emptyDraft } from "./draft.ts";
import { draftFiles, openDraft } from "./draft-store.ts";
import { useTakeOffOrdered } from "./use-ordered-files.ts";

/** Stands for the draft on the server and while its page is hydrated. */
const BLANK = createStore(emptyDraft);

/**
 * The draft of a student, or of a visitor at a counter, at this shop; empty until the browser's storage may be read. Its
 * uploads continue. Calls `onSessionEnd` when an upload finds that the session or visit has ended.
 */
export function useDraftOf(userId: string, shopId: string, onSessionEnd: () => void) {
  const isRead = useOwnership(userId) === "own";
  const store = isRead ? openDraft(userId, shopId) : BLANK;
  const chosen = useMemo(() => draftFiles(store, userId), [store, userId]);
  const draft = useStore(store);
  const client = useQueryClient();
  const takeOff = useTakeOffOrdered(store);
  const takeOffOrdered = useEffectEvent(() => {
    // An order whose answer may still come clears its files itself.
    if (client.isMutating() === 0) void takeOff();
  });

  useEffect(() => {
    if (!isRead) return;
    stopUploadsOfOthers(userId);
    void restoreFiles(chosen);
    takeOffOrdered();
  }, [chosen, userId, isRead]);

  const waiting = draft.files
    .flatMap(({ key, uploaded, refusal }) => (uploaded || refusal ? [] : key))
    .join();
  useEffect(() => {
    if (isRead && waiting) joinUploads(chosen);
  }, [chosen, isRead, waiting]);

  const end = useEffectEvent(onSessionEnd);
  useEffect(() => onLoginRequired(() => end()), []);

  return { store, draft, chosen, change: store.setState, isRead };
}

/** The draft of a student. If an upload finds the session ended, the guard redirects to login and back. */
export function useDraft(userId: string, shopId: string) {
  const setUser = useSetUser();
  return useDraftOf(userId, shopId, () => void setUser(null));
}
