import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { HOUR_MS } from "#shared/durations.ts";
import { UNORDERED_HOURS } from "#shared/order-limits.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { useOwnership, useSetUser } from "../../lib/session.ts";
import { ownItems } from "../../lib/storage.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import { forgetFile } from "../files/file-actions.ts";
import { removeCachedFile } from "../files/file-cache.ts";
import { joinUploads, restoreFiles } from "../files/file-restore.ts";
import type { ChosenFiles, PrintFile } from "../files/print-file.ts";
import { onLoginRequired } from "../files/running-uploads.ts";
import { clearPhase } from "../files/upload-phases.ts";
import { changeFiles, type Draft, draftName, emptyDraft, parseDraft } from "./draft.ts";
import { clearOrderOf } from "./order-data.ts";

/** As long as the store keeps files that are not ordered. */
export const FILES_KEPT_MS = UNORDERED_HOURS * HOUR_MS;

export type DraftStore = StoreApi<Draft>;

const opened = new Map<string, DraftStore>();
onPersonalDataCleared(() => {
  for (const store of opened.values()) store.setState(emptyDraft(), true);
  opened.clear();
});

/**
 * The draft of this user at this shop, one instance per tab, saved to local storage with every change. Changes in
 * other tabs show here too.
 */
export function openDraft(userId: string, shopId: string): DraftStore {
  const name = draftName(userId, shopId);
  const known = opened.get(name);
  if (known) return known;
  const store = createStore<Draft>(() => parseDraft(ownItems.get(name)));
  opened.set(name, store);
  saveChanges(store, name);
  return store;
}

/** Begins the next order: removes these files from the draft and from the browser's storage, by default all. */
export function clearDraft(store: DraftStore, isOrdered: (file: PrintFile) => boolean = () => true): void {
  const { files } = store.getState();
  for (const file of files) if (isOrdered(file)) void removeCachedFile(file.key);
  store.setState({ ...emptyDraft(), files: files.filter((file) => !isOrdered(file)) }, true);
}

export function draftFiles(store: DraftStore, owner: string): ChosenFiles {
  const change: ChosenFiles["change"] = (update) => store.setState((draft) => changeFiles(draft, update));
  return {
    owner,
    list: () => store.getState().files,
    change,
    takeOff(file) {
      const { files, pages } = store.getState();
      const place = files.findIndex(({ key }) => key === file.key);
      change((all) => all.filter(({ key }) => key !== file.key));
      const rest = store.getState();
      return () => {
        const now = store.getState();
        // As it was, with its number of pages, where the student changed nothing meanwhile.
        if (now.files === rest.files && now.pages === rest.pages) store.setState({ files, pages });
        else change((all) => all.toSpliced(place, 0, file));
      };
    },
  };
}

function saveChanges(store: DraftStore, name: string): void {
  let fromElsewhere = false;
  ownItems.set(name, store.getState());
  store.subscribe((draft) => {
    if (!fromElsewhere) ownItems.set(name, draft);
  });
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== name || newValue === null) return;
    fromElsewhere = true;
    store.setState(parseDraft(ownItems.get(name)), true);
    fromElsewhere = false;
  });
}

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
    void restoreFiles(chosen);
    takeOffOrdered();
  }, [chosen, isRead]);

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

/**
 * Takes files off a draft's list that belong to an order already, because its answer was lost. The rest becomes another order;
 * where there is none, all is cleared as after any order.
 */
export function useTakeOffOrdered(store: DraftStore): () => Promise<void> {
  const utils = trpc.useUtils();
  return async () => {
    const ids = store.getState().files.flatMap(({ uploaded }) => uploaded?.id ?? []);
    if (ids.length === 0) return;
    // Without an answer the files stay: the server refuses to order them again.
    const known = await utils.files.colours.fetch({ ids: ids.toSorted() }, { staleTime: 0 }).catch(() => []);
    const ordered = new Set(known.filter(({ isOrdered }) => isOrdered).map(({ id }) => id));
    const isOrdered = ({ uploaded }: PrintFile) => uploaded !== null && ordered.has(uploaded.id);
    const { files } = store.getState();
    const taken = files.filter(isOrdered);
    if (taken.length === 0) return;
    if (taken.length === files.length) clearDraft(store);
    else {
      store.setState((draft) => ({
        ...changeFiles(draft, (all) => all.filter((file) => !isOrdered(file))),
        orderKey: randomKey(),
      }));
    }
    for (const { key } of taken) {
      clearPhase(key);
      forgetFile(key);
    }
    clearOrderOf(taken.flatMap(({ uploaded }) => uploaded?.url ?? []));
    const names = taken.map(({ name }) => `“${name}”`).join(", ");
    showError({
      title: "Already ordered",
      text: `${names}: in an order of yours, so no longer in your list`,
    });
  };
}
