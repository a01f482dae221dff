import { trpc } from "#client/lib/trpc.ts";

/** Fetches the saved addresses anew after a change of them. */
export function useShowAddresses(): () => Promise<void> {
  const utils = trpc.useUtils();
  return () => utils.addresses.list.invalidate();
}
