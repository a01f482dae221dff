import { useNavigate } from "@tanstack/react-router";
import { SUCCESS } from "#shared/messages.ts";
import { codeOf, detailsOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { sessionItems } from "../../lib/storage.ts";
import { showError, showSuccess } from "../../ui/popup/popup.store.ts";

/**
 * Login by password. The guard then leads on, home or back to the page that asked for a login. An account that was
 * never verified goes to its verification, for which the server has sent a new code.
 */
export function useLogin() {
  const setUser = useSetUser();
  const navigate = useNavigate();
  return trpc.accounts.login.useMutation({
    onSuccess: async (user) => {
      await setUser(user);
      void showSuccess(SUCCESS.loggedIn);
    },
    onError: async (error) => {
      if (continuesInConsole(error)) return window.location.assign("/admin/login");
      if (codeOf(error) === "ACCOUNT_NOT_VERIFIED") {
        sessionItems.set("phone", String(detailsOf(error).phone));
        await navigate({ to: "/account-verify" });
      }
      void showError({ title: messageOf(error) });
    },
  });
}

/** Staff give or set up their second factor in the console. */
export function continuesInConsole(error: unknown): boolean {
  const code = codeOf(error);
  return code === "SECOND_FACTOR_REQUIRED" || code === "SECOND_FACTOR_SETUP_REQUIRED";
}
