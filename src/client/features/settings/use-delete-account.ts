import { useNavigate } from "@tanstack/react-router";
import { useSetUser } from "#client/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { showSuccess } from "#client/ui/popup/popup.store.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { forgetDrafts } from "../print/forget-drafts.ts";

const DELETED = {
  title: "Your account is deleted",
  text: "Thank you for printing with us. You are welcome to sign up again at any time.",
};

/** Deletes the account, has this browser forget the person as well, and leads home. */
export function useDeleteAccount({ _id }: CurrentUser) {
  const navigate = useNavigate();
  const setUser = useSetUser();
  return trpc.privacy.deleteAccount.useMutation({
    onSuccess: async () => {
      forgetDrafts(_id);
      await navigate({ to: "/" });
      await setUser(null);
      void showSuccess(DELETED);
    },
  });
}
