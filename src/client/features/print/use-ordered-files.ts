import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import { forgetFile } from "../files/file-actions.ts";
import type { PrintFile } from "../files/print-file.ts";
import { clearPhase } from "../files/upload-phases.ts";
import { changeFiles } from "./draft.ts";
import { clearDraft, type DraftStore } from "./draft-store.ts";
import { clearOrderOf } from "./order-store.ts";

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
