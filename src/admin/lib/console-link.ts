import { httpBatchLink, httpLink, isNonJsonSerializable, splitLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { MAX_BATCH } from "#shared/calls.ts";
import type { ErrorCode } from "#shared/error-codes.ts";
import { mayCall } from "#shared/permissions.ts";
import { callHeaders } from "#ui/background-calls.ts";
import { codeOf } from "#ui/errors.ts";
import type { StoreLink } from "#ui/trpc.ts";
import { fetchWithTime } from "./clock.ts";
import { isAtWork, staffHeaders } from "./session-end.ts";

const SENDING = { url: "/api/trpc", fetch: fetchWithTime };
const AS_STAFF = { ...SENDING, headers: () => ({ ...callHeaders(), ...staffHeaders() }) };

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
    // Where a second factor is added without a session, the server says that the login which it could belong to is over.
    repeatAfter("GONE", checkSession),
    repeatAfter("CONFIRMATION_REQUIRED", askToConfirm),
  ];
  return splitLink({
    // It tells who is logged in, whomever this tab belongs to.
    condition: (op) => op.path === "accounts.me",
    true: httpLink({ ...SENDING, headers: callHeaders }),
    false: splitLink({
      condition: (op) => isNonJsonSerializable(op.input),
      true: [...retries, httpLink(AS_STAFF)],
      false: [...retries, httpBatchLink({ ...AS_STAFF, maxItems: MAX_BATCH })],
    }),
  });
}

/**
 * `fetch` for what is no procedure: as the person of this tab, and sent again after another login over the screen.
 * @param checkSession as for `consoleLink`
 */
export async function fetchAsStaff(
  url: string,
  { checkSession, ...init }: RequestInit & Pick<LinkOptions, "checkSession">,
): Promise<Response> {
  const send = () => fetch(url, { ...init, headers: staffHeaders() });
  const response = await send();
  return response.status === 401 && (await checkSession()) ? send() : response;
}

/** The calls of a login fail for other reasons than a missing session, such as a wrong password. */
function isPartOfLogin(path: string): boolean {
  return mayCall(path, "guest") && !isAtWork();
}

/** Repeats a call that failed with `code` once, if `mayRepeat` answers true. */
function repeatAfter(code: ErrorCode, mayRepeat: () => Promise<boolean>): StoreLink {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const send = (onError: typeof observer.error) => next(op).subscribe({ ...observer, error: onError });
        let sent = send((error) => {
          if (codeOf(error) !== code || isPartOfLogin(op.path)) return observer.error(error);
          void mayRepeat().then((isAllowed) => {
            if (isAllowed) sent = send(observer.error);
            else observer.error(error);
          });
        });
        return () => sent.unsubscribe();
      });
}
