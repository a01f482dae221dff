import { useNavigate } from "@tanstack/react-router";
import { useSetUser } from "#admin/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { isHalfway } from "./login-form.tsx";

/** Accepts an invitation and opens the console. */
export function useAcceptInvitation() {
  const setUser = useSetUser();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  return trpc.staff.accept.useMutation({
    onError: async (error) => {
      if (isHalfway(error)) await navigate({ to: "/login", replace: true });
    },
    onSuccess: async (user) => {
      utils.accounts.me.setData(undefined, user);
      await navigate({ to: "/", replace: true });
      await setUser(user);
    },
  });
}
