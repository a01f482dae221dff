import { createStore, type StoreApi } from "zustand/vanilla";
import { UNORDERED_HOURS } from "#shared/order-limits.ts";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { ownItems } from "../../lib/storage.ts";
import { removeCachedFile } from "../files/file-cache.ts";
import type { ChosenFiles, PrintFile } from "../files/print-file.ts";
import { changeFiles, type Draft, draftName, emptyDraft, parseDraft } from "./draft.ts";

/** As long as the store keeps files that are not ordered. */
export const FILES_KEPT_MS = UNORDERED_HOURS * 60 * 60 * 1000;

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
