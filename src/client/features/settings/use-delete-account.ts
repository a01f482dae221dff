import { useNavigate } from "@tanstack/react-router";
import { forgetPerson } from "#client/lib/personal-data.ts";
import { useSetUser } from "#client/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { showSuccess } from "#client/ui/popup/popup.store.ts";

const DELETED = {
  title: "Your account is deleted",
  text: "Thank you for printing with us. You are welcome to sign up again at any time.",
};

/** Deletes the account, has this browser forget the person as well, and leads home. */
export function useDeleteAccount() {
  const navigate = useNavigate();
  const setUser = useSetUser();
  return trpc.privacy.deleteAccount.useMutation({
    onSuccess: async () => {
      forgetPerson();
      await navigate({ to: "/" });
      await setUser(null);
      void showSuccess(DELETED);
    },
  });
}
