import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { getQueryKey } from "@trpc/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { claimBrowser, currentOwner, isBrowserOf } from "#ui/personal-data.ts";
import { type StoreUtils, trpc } from "#ui/trpc.ts";

const SESSION = { staleTime: 60_000, retry: false } as const;

export interface Auth {
  /** Whether someone is logged in. */
  status: boolean;
  userData: CurrentUser | null;
}

/** Who is logged in, as far as is known. The server puts the answer into the page; a failure counts as logged out. */
export function useAuth(): Auth {
  const { data } = trpc.accounts.me.useQuery(undefined, SESSION);
  return { status: Boolean(data), userData: data ?? null };
}

/**
 * Asks who is logged in, unless that is known for less than a minute and the browser's mark says nobody else. A failure
 * counts as logged out.
 */
export async function fetchUser(utils: StoreUtils): Promise<CurrentUser | null> {
  try {
    const known = utils.accounts.me.getData();
    const staleTime = known && !isBrowserOf(known._id) ? 0 : SESSION.staleTime;
    return await utils.accounts.me.fetch(undefined, { ...SESSION, staleTime });
  } catch {
    return null;
  }
}

/**
 * Whether the browser holds data of nobody but this student. Where its mark says somebody else, the store is asked who is
 * logged in now, and only its answer has the browser forget somebody.
 */
export function useClaimedBrowser(userId: string | undefined): boolean {
  const utils = trpc.useUtils();
  const router = useRouter();
  const [claimed, setClaimed] = useState(currentOwner);
  const claim = useEffectEvent(async (id: string) => {
    const isTrue = isBrowserOf(id) || (await fetchUser(utils))?._id === id;
    // Whoever else it is, the guards and the menu learn it from the same answer.
    if (!isTrue) return router.invalidate();
    claimBrowser(id);
    setClaimed(id);
  });
  useEffect(() => {
    if (userId) void claim(userId);
  }, [userId]);
  return userId !== undefined && claimed === userId;
}

/**
 * Tells the whole page that someone logged in (the user) or out (null), or is called otherwise now, and lets the guards
 * look again. What was fetched for somebody else is forgotten.
 */
export function useSetUser(): (user: CurrentUser | null) => Promise<void> {
  const utils = trpc.useUtils();
  const router = useRouter();
  const queryClient = useQueryClient();
  return async (user) => {
    if (user) claimBrowser(user._id);
    if (user && utils.accounts.me.getData()?._id !== user._id) forgetPersonalData(queryClient);
    utils.accounts.me.setData(undefined, user);
    await router.invalidate();
    // Only now has the guard led away from the page that showed it.
    if (!user) forgetPersonalData(queryClient);
  };
}

/** Everything but the shops, which are the same to all, and who is logged in. */
function forgetPersonalData(queryClient: QueryClient): void {
  const kept = [getQueryKey(trpc.shops), getQueryKey(trpc.accounts.me)].map(([path]) => String(path));
  queryClient.removeQueries({
    predicate: ({ queryKey: [path] }) => !kept.some((prefix) => `${path},`.startsWith(`${prefix},`)),
  });
}

/** The page to open after login: a path of this store, or the home page. */
export function pathAfterLogin(redirect: string | undefined): string {
  return redirect && /^\/(?![/\\])/.test(redirect) ? redirect : "/";
}
