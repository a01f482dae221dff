import type { Dispatch } from "react";
import { showDone, showFailure } from "#admin/lib/notices.ts";
import { codeOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { PriceAction, PriceEditing } from "./price-editing.ts";
import { toLists } from "./price-faults.ts";

/** Saves a draft on the version that it was begun with. When someone else was first, their list is fetched. */
export function useSavePrices(shopId: string, editing: PriceEditing, dispatch: Dispatch<PriceAction>) {
  const utils = trpc.useUtils();
  const save = trpc.prices.save.useMutation({
    onSuccess: async (saved) => {
      utils.prices.get.setData({ shopId }, saved);
      dispatch({ type: "saved", base: saved });
      showDone("The prices are saved. Students see them from now on");
      await utils.shops.invalidate();
    },
    onError: async (error) => {
      if (codeOf(error) === "CONFLICT") await utils.prices.get.invalidate({ shopId });
      else showFailure(error);
    },
  });
  return {
    isSaving: save.isPending,
    save: () => {
      // What the screen tells rows apart by, and what the server does.
      const lists = toLists(editing.draft);
      if (!save.isPending) save.mutate({ shopId, version: editing.base.version, lists });
    },
  };
}
