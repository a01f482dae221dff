import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useHydrated, useRouter } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { wasAnswered } from "#ui/errors.ts";
import { GUEST, setViewer } from "#ui/page-cache.ts";
import {
  claimBrowser,
  clearEndedVisit,
  clearPersonalData,
  currentOwner,
  isBrowserOf,
  isSharedComputer,
  markSharedComputer,
  onOwnerChanged,
} from "#ui/personal-data.ts";
import { type StoreUtils, trpc } from "#ui/trpc.ts";

const SESSION = { staleTime: 60_000, retry: false } as const;

interface Auth {
  status: boolean;
  userData: CurrentUser | null;
}

/**
 * Who is logged in. The server embeds the answer in the page.
 * @param strict an error counts as logged out, as in `fetchUser`: for what holds nothing that was typed
 */
export function useAuth(strict = false): Auth {
  const { data, error } = trpc.accounts.me.useQuery(undefined, SESSION);
  const userData = strict && wasAnswered(error) ? null : (data ?? null);
  return { status: Boolean(userData), userData };
}

/**
 * Fetches who is logged in. It uses an answer of the last minute, unless the browser's data belongs to somebody
 * else by now. Without a connection the last answer stands; any other error counts as logged out.
 */
export async function fetchUser(utils: StoreUtils): Promise<CurrentUser | null> {
  const known = utils.accounts.me.getData();
  const isOwn = !known || isBrowserOf(known._id);
  try {
    return await utils.accounts.me.fetch(undefined, { ...SESSION, staleTime: isOwn ? SESSION.staleTime : 0 });
  } catch (error) {
    return isOwn && !wasAnswered(error) ? (known ?? null) : null;
  }
}

/**
 * Once the server says that nobody is logged in, the pages of the last user are removed from the browser, what a visit at a
 * counter left there whose time is over, and on a shared computer all that the last user left.
 */
export function useForgottenPages(): void {
  const { data } = trpc.accounts.me.useQuery(undefined, SESSION);
  useEffect(() => {
    if (data !== null) return;
    void setViewer(GUEST);
    if (isSharedComputer()) clearPersonalData();
    else clearEndedVisit();
  }, [data]);
}

/**
 * Claims the browser for this student. If its data belongs to somebody else, the server is asked who is logged in, and
 * the data is cleared only if it confirms this student.
 */
export function useClaimBrowser(userId: string | undefined): void {
  const utils = trpc.useUtils();
  const router = useRouter();
  const claim = useEffectEvent(async (id: string) => {
    const isTrue = isBrowserOf(id) || (await fetchUser(utils))?._id === id;
    // Guards and menu update from the same answer.
    if (isTrue) claimBrowser(id);
    else await router.invalidate();
  });
  useEffect(() => {
    if (userId) void claim(userId);
  }, [userId]);
}

/**
 * Whether what is stored in this browser is this student's, so that it may be read: "unknown" on the server and while its
 * page is hydrated.
 */
export function useOwnership(userId: string): "unknown" | "own" | "others" {
  const isHydrated = useHydrated();
  const owner = useSyncExternalStore(onOwnerChanged, currentOwner, () => null);
  if (!isHydrated) return "unknown";
  return owner === userId ? "own" : "others";
}

/**
 * Updates the page after login (the user), logout (null) or a change of the profile, and runs the guards again.
 * Data of another user is dropped. `isShared`, after a login: whether others use the computer too.
 */
export function useSetUser(): (user: CurrentUser | null, isShared?: boolean) => Promise<void> {
  const utils = trpc.useUtils();
  const router = useRouter();
  const queryClient = useQueryClient();
  return async (user, isShared) => {
    if (user) claimBrowser(user._id);
    if (isShared !== undefined) markSharedComputer(isShared);
    if (user && utils.accounts.me.getData()?._id !== user._id) {
      forgetPersonalData(queryClient);
      // A page from before is drawn at once otherwise, before its data has come again.
      router.clearCache();
    }
    utils.accounts.me.setData(undefined, user);
    await router.invalidate();
    // Only now the guard has left the page that showed it.
    if (!user) forgetPersonalData(queryClient);
  };
}

/** Drops everything but the shops, which are the same for everybody, and who is logged in. */
function forgetPersonalData(queryClient: QueryClient): void {
  const kept = [getQueryKey(trpc.shops), getQueryKey(trpc.accounts.me)].map(([path]) => String(path));
  queryClient.removeQueries({
    predicate: ({ queryKey: [path] }) => !kept.some((prefix) => `${path},`.startsWith(`${prefix},`)),
  });
}
