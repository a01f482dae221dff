import { useNavigate } from "@tanstack/react-router";
import { SUCCESS } from "#shared/messages.ts";
import { codeOf, detailsOf, messageOf, needsSecondFactor } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { sessionItems } from "../../lib/storage.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { keepNewAccount } from "./new-account.ts";

/**
 * Logs in by password. The route's guard then redirects home, or back to the page that required the login. An
 * unverified account is sent to verification; the server has mailed a new code.
 */
export function useLogin() {
  const setUser = useSetUser();
  const navigate = useNavigate();
  return trpc.accounts.login.useMutation({
    onSuccess: async (user, { isSharedComputer = false }) => {
      await setUser(user, isSharedComputer);
      showSuccess(SUCCESS.loggedIn);
    },
    onError: async (error, { email, password }) => {
      if (needsSecondFactor(error)) return window.location.assign("/admin/login");
      if (codeOf(error) === "ACCOUNT_NOT_VERIFIED") {
        const phone = String(detailsOf(error).phone);
        sessionItems.set("phone", phone);
        keepNewAccount({ email, phone, password });
        await navigate({ to: "/account-verify", replace: true, state: { email } });
      }
      showError({ title: messageOf(error) });
    },
  });
}
