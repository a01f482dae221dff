import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, redirect, useRouteContext, useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { mayCall, type Procedure } from "#shared/permissions.ts";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import { claimBrowser, clearPersonalData, isSharedTicked, markSharedComputer } from "#ui/personal-data.ts";
import { type StoreUtils, trpc } from "#ui/trpc.ts";
import { rememberStaff } from "./session-end.ts";

/** Who is logged in. Throws if the server cannot be reached, which is not the same as nobody. */
export function fetchUser(utils: StoreUtils): Promise<CurrentUser | null> {
  return utils.accounts.me.fetch(undefined, { staleTime: 30_000 });
}

export function isStaff(user: CurrentUser | null): user is StaffAccount {
  return user !== null && user.role !== "customer";
}

/** The logged-in staff member; the guard of the console's screens lets in nobody else. */
export function useStaffUser(): StaffAccount {
  return getRouteApi("/_staff").useRouteContext().user;
}

/** Asks the server whether the session goes on; if it has ended, the login opens over the screen first. */
export function useCheckSession(): () => Promise<boolean> {
  return useRouteContext({ from: "__root__" }).checkSession;
}

/** Handles a click on a link to a file: if the session has ended, the login opens first, and the download, or the tab that it opens, comes after it. */
export function useDownload(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const checkSession = useCheckSession();
  return (event) => {
    event.preventDefault();
    const link = event.currentTarget.cloneNode() as HTMLAnchorElement;
    void checkSession().then((mayGoOn) => mayGoOn && link.click());
  };
}

/** Guards a screen by its procedure: who may not call it is redirected to the first screen. */
export function screenOf(procedure: Procedure) {
  return ({ context }: { context: { user: StaffAccount } }): void => {
    if (!mayCall(procedure, context.user.role)) throw redirect({ to: "/", replace: true });
  };
}

/** Updates the console after login (the user) or logout (null); logout clears personal data. */
export function useSetUser(): (user: CurrentUser | null) => Promise<void> {
  const utils = trpc.useUtils();
  const router = useRouter();
  const queryClient = useQueryClient();
  return async (user) => {
    // Staff may come from the store's login, which asks whether others use the computer too.
    const isShared = isSharedTicked();
    if (user) claimBrowser(user._id);
    if (user && isShared) markSharedComputer(true);
    if (!user) {
      rememberStaff(null);
      clearPersonalData();
    }
    utils.accounts.me.setData(undefined, user);
    await router.invalidate();
    // Only now the guard has left the screens that showed it.
    if (!user) queryClient.removeQueries({ type: "inactive" });
  };
}
