import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";
import { showError } from "#client/ui/popup/popup.store.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";

/** Adds an address to the saved ones of the account. The order goes on meanwhile, and also when that fails. */
export function useSaveForLater(): (address: DeliveryAddress) => void {
  const utils = trpc.useUtils();
  const add = trpc.addresses.add.useMutation({
    onSuccess: () => utils.addresses.list.invalidate(),
    onError: (error) =>
      void showError({ title: "The address is not saved for next time", text: messageOf(error) }),
  });
  return (address) => add.mutate({ address });
}
