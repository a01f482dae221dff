import { showFailure } from "#admin/lib/notices.ts";
import { trpc } from "#client/lib/trpc.ts";

/** Marks a message as new, read or answered, and brings the lists up to date. */
export function useMarkMessage() {
  const utils = trpc.useUtils();
  return trpc.contact.mark.useMutation({
    onSuccess: () => utils.contact.invalidate(),
    onError: showFailure,
  });
}
