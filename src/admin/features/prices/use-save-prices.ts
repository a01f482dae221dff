import type { Dispatch } from "react";
import { showDone, showFailure } from "#admin/lib/notices.ts";
import { codeOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import type { PriceListsInput } from "#shared/schemas/prices.ts";
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
      // The save bar is shut while a row is wrong; the server looks at every row again.
      const lists = toLists(editing.draft) as PriceListsInput;
      if (!save.isPending) save.mutate({ shopId, version: editing.base.version, lists });
    },
  };
}
