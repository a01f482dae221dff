import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import { forgetFile } from "../files/file-actions.ts";
import { clearPhase } from "../files/upload-phases.ts";
import { changeFiles } from "./draft.ts";
import type { DraftStore } from "./draft-store.ts";

/**
 * Takes files off a draft's list that belong to an order already, because its answer was lost. The rest becomes another order.
 */
export function useTakeOffOrdered(store: DraftStore): () => Promise<void> {
  const utils = trpc.useUtils();
  return async () => {
    const sent = store.getState().files.flatMap(({ key, uploaded }) => (uploaded ? { key, uploaded } : []));
    if (sent.length === 0) return;
    const ids = sent.map(({ uploaded }) => uploaded.id);
    // Without an answer the files stay: the server refuses to order them again.
    const known = await utils.files.colours.fetch({ ids }, { staleTime: 0 }).catch(() => []);
    const ordered = new Set(known.filter(({ isOrdered }) => isOrdered).map(({ id }) => id));
    const keys = new Set(sent.filter(({ uploaded }) => ordered.has(uploaded.id)).map(({ key }) => key));
    const taken = store.getState().files.filter(({ key }) => keys.has(key));
    if (taken.length === 0) return;
    store.setState((draft) => ({
      ...changeFiles(draft, (files) => files.filter(({ key }) => !keys.has(key))),
      orderKey: randomKey(),
    }));
    for (const { key } of taken) {
      clearPhase(key);
      forgetFile(key);
    }
    const names = taken.map(({ name }) => `“${name}”`).join(", ");
    showError({
      title: "Already ordered",
      text: `${names}: in an order of yours, so no longer in this list`,
    });
  };
}
