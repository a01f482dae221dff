import {
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
} from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { MAX_BATCH } from "#shared/batch.ts";
import { callHeaders } from "#ui/background-calls.ts";
import { codeOf } from "#ui/errors.ts";
import type { StoreLink } from "#ui/trpc.ts";

const URL = "/api/trpc";

interface SessionEvents {
  /** Whether this browser has a session, asked of the server; true also when it cannot be reached. */
  isSignedIn: () => Promise<boolean>;
  onSessionEnded: () => void;
  /** Has the person prove that it is them; false when they will not. */
  askToConfirm: () => Promise<boolean>;
}

/** Calls in batches but for uploads, subscriptions as event streams that are taken up again where they broke off. */
export function consoleLink(events: SessionEvents): StoreLink {
  const watches = [sessionWatch(events), confirmationRetry(events)];
  return splitLink({
    condition: (op) => op.type === "subscription",
    true: [sessionWatch(events), httpSubscriptionLink({ url: URL })],
    false: splitLink({
      condition: (op) => isNonJsonSerializable(op.input),
      true: [...watches, httpLink({ url: URL, headers: callHeaders })],
      false: [...watches, httpBatchLink({ url: URL, maxItems: MAX_BATCH, headers: callHeaders })],
    }),
  });
}

/**
 * Tells when the server no longer knows the session: it ran out, or a role was taken away. A call that set out with the
 * token from before a confirmation is made again with the new one; a live stream is taken up again by who listens.
 */
function sessionWatch({ isSignedIn, onSessionEnded }: SessionEvents): StoreLink {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = (onError: typeof observer.error) => next(op).subscribe({ ...observer, error: onError });
        let sent = send((error) => {
          if (codeOf(error) !== "UNAUTHENTICATED" || op.path === "accounts.login")
            return observer.error(error);
          void isSignedIn().then((isStill) => {
            if (isStill && op.type !== "subscription") {
              sent = send(observer.error);
              return;
            }
            observer.error(error);
            if (!isStill) onSessionEnded();
          });
        });
        return () => sent.unsubscribe();
      });
}

/**
 * Has the person confirm that it is them where the server asks for it, and makes the call again: nothing that they typed
 * is lost.
 */
function confirmationRetry({ askToConfirm }: SessionEvents): StoreLink {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = (onError: typeof observer.error) => next(op).subscribe({ ...observer, error: onError });
        let sent = send((error) => {
          if (codeOf(error) !== "CONFIRMATION_REQUIRED") return observer.error(error);
          void askToConfirm().then((confirmed) => {
            if (confirmed) sent = send(observer.error);
            else observer.error(error);
          });
        });
        return () => sent.unsubscribe();
      });
}
