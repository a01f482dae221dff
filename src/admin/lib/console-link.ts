import {
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { codeOf } from "#client/lib/errors.ts";
import type { StoreLink } from "#client/lib/trpc.ts";
import { MAX_BATCH } from "#shared/batch.ts";

const URL = "/api/trpc";

/** Calls in batches but for uploads, subscriptions as event streams that are taken up again where they broke off. */
export function consoleLink(watch: { onSessionEnded: () => void }): StoreLink {
  return splitLink({
    condition: (op) => op.type === "subscription",
    true: [sessionWatch(watch), httpSubscriptionLink({ url: URL })],
    false: splitLink({
      condition: (op) => isNonJsonSerializable(op.input),
      true: [sessionWatch(watch), httpLink({ url: URL })],
      false: [sessionWatch(watch), httpBatchLink({ url: URL, maxItems: MAX_BATCH })],
    }),
  });
}

/** Tells when the server no longer knows the session: it ran out, or a role was taken away. */
function sessionWatch({ onSessionEnded }: { onSessionEnded: () => void }): StoreLink {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          ...observer,
          error(error) {
            observer.error(error);
            if (codeOf(error) === "UNAUTHENTICATED" && op.path !== "accounts.login") onSessionEnded();
          },
        }),
      );
}
