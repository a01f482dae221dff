import { useRouter } from "@tanstack/react-router";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { type StoreUtils, trpc } from "./trpc.ts";

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

/** Asks who is logged in, unless that is known for less than a minute. A failure counts as logged out. */
export async function fetchUser(utils: StoreUtils): Promise<CurrentUser | null> {
  try {
    return await utils.accounts.me.fetch(undefined, SESSION);
  } catch {
    return null;
  }
}

/** Tells the whole page that someone logged in (the user) or out (null), and lets the guards look again. */
export function useSetUser(): (user: CurrentUser | null) => Promise<void> {
  const utils = trpc.useUtils();
  const router = useRouter();
  return async (user) => {
    utils.accounts.me.setData(undefined, user);
    await router.invalidate();
  };
}

/** The page to open after login: a path of this store, or the home page. */
export function pathAfterLogin(redirect: string | undefined): string {
  return redirect && /^\/(?![/\\])/.test(redirect) ? redirect : "/";
}
