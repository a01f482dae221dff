import { trpc } from "#ui/trpc.ts";
import { showDone, showFailure } from "../../lib/notices.tsx";
import type { ManagedShop } from "./managed-shop.ts";

/** Actions on a shop, which refetch everything about shops. */
export function useShopChanges({ shopName }: Pick<ManagedShop, "shopName">) {
  const utils = trpc.useUtils();
  const refresh = () => Promise.all([utils.shops.invalidate(), utils.staff.myShops.invalidate()]);
  const then = (said: string) => ({
    onSuccess: async () => {
      showDone(said);
      await refresh();
    },
    onError: showFailure,
  });
  const open = trpc.shops.admin.setOpen.useMutation(then(`${shopName} is open again`));
  const close = trpc.shops.admin.setOpen.useMutation(then(`${shopName} is closed and takes no orders`));
  const hide = trpc.shops.admin.setHidden.useMutation(then(`Students no longer see ${shopName}`));
  const show = trpc.shops.admin.setHidden.useMutation(then(`Students see ${shopName} now`));
  const remove = trpc.shops.admin.remove.useMutation(then(`${shopName} is deleted`));
  return { open, close, hide, show, remove };
}
