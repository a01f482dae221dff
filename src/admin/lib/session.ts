import { redirect, useRouter } from "@tanstack/react-router";
import { mayCall, type Procedure } from "#shared/permissions.ts";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import { claimBrowser, clearPersonalData } from "#ui/personal-data.ts";
import { type StoreUtils, trpc } from "#ui/trpc.ts";

/** Who is logged in. Throws when the store cannot be reached: that is not the same as nobody. */
export function fetchUser(utils: StoreUtils): Promise<CurrentUser | null> {
  return utils.accounts.me.fetch(undefined, { staleTime: 30_000 });
}

export function isStaff(user: CurrentUser | null): user is StaffAccount {
  return user !== null && user.role !== "customer";
}

/** Guards a screen that shows what this call answers: who may not make it is led to the first screen. */
export function screenOf(procedure: Procedure) {
  return ({ context }: { context: { user: StaffAccount } }): void => {
    if (!mayCall(procedure, context.user.role)) throw redirect({ to: "/", replace: true });
  };
}

/** Tells the console that someone logged in (the user) or out (null), forgetting what was shown before. */
export function useSetUser(): (user: CurrentUser | null) => Promise<void> {
  const utils = trpc.useUtils();
  const router = useRouter();
  return async (user) => {
    if (user) claimBrowser(user._id);
    else clearPersonalData();
    utils.accounts.me.setData(undefined, user);
    await router.invalidate();
  };
}
