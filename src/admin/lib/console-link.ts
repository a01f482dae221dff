import { httpBatchLink, httpLink, isNonJsonSerializable, splitLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { MAX_BATCH } from "#shared/calls.ts";
import type { ErrorCode } from "#shared/error-codes.ts";
import { mayCall } from "#shared/permissions.ts";
import { callHeaders } from "#ui/background-calls.ts";
import { codeOf } from "#ui/errors.ts";
import type { StoreLink } from "#ui/trpc.ts";
import { fetchWithTime } from "./clock.ts";

const SENDING = { url: "/api/trpc", headers: callHeaders, fetch: fetchWithTime };

interface LinkOptions {
  /** Whether the server still knows this browser's session; if not, the login opens. */
  checkSession: () => Promise<boolean>;
  /** Asks for the password; false when the person cancels. */
  askToConfirm: () => Promise<boolean>;
}

/**
 * Calls in batches, but uploads one by one. A call that was sent with the session's token from before a confirmation is
 * repeated with the new one; a call that needs a confirmation is repeated after it, so that no input is lost.
 */
export function consoleLink({ checkSession, askToConfirm }: LinkOptions): StoreLink {
  const retries = [
    repeatAfter("UNAUTHENTICATED", checkSession),
    repeatAfter("CONFIRMATION_REQUIRED", askToConfirm),
  ];
  return splitLink({
    condition: (op) => isNonJsonSerializable(op.input),
    true: [...retries, httpLink(SENDING)],
    false: [...retries, httpBatchLink({ ...SENDING, maxItems: MAX_BATCH })],
  });
}

/** A call that needs no session fails for other reasons, such as a wrong password. */
function isOpenToGuests(path: string): boolean {
  return mayCall(path, "guest");
}

/** Repeats a call that failed with `code` once, if `mayRepeat` answers true. */
function repeatAfter(code: ErrorCode, mayRepeat: () => Promise<boolean>): StoreLink {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = (onError: typeof observer.error) => next(op).subscribe({ ...observer, error: onError });
        let sent = send((error) => {
          if (codeOf(error) !== code || isOpenToGuests(op.path)) return observer.error(error);
          void mayRepeat().then((isAllowed) => {
            if (isAllowed) sent = send(observer.error);
            else observer.error(error);
          });
        });
        return () => sent.unsubscribe();
      });
}
