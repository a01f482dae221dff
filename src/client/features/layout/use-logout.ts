import { SUCCESS } from "#shared/messages.ts";
import { messageOf } from "../../lib/errors.ts";
import { forgetPerson } from "../../lib/personal-data.ts";
import { useSetUser } from "../../lib/session.ts";
import { trpc } from "../../lib/trpc.ts";
import { showError, showSuccess } from "../../ui/popup/popup.store.ts";

/** Ends the session and says how that went. */
export function useLogout() {
  const setUser = useSetUser();
  return trpc.accounts.logout.useMutation({
    onSuccess: async () => {
      forgetPerson();
      showSuccess(SUCCESS.loggedOut);
      await setUser(null);
    },
    onError: (error) => {
      showError({ title: messageOf(error) });
    },
  });
}
