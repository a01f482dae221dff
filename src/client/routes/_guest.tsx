import { createFileRoute, redirect, retainSearchParams } from "@tanstack/react-router";
import { fetchUser, pathAfterLogin } from "../lib/session.ts";
import { Loader } from "../ui/loader.tsx";

/**
 * Everything below is for guests only: someone who is logged in goes home, or back to the page that asked for login.
 * Links from one of these pages to another remember that page.
 */
export const Route = createFileRoute("/_guest")({
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === "string" ? { redirect: search.redirect } : {},
  search: { middlewares: [retainSearchParams(["redirect"])] },
  beforeLoad: async ({ context, search }) => {
    const user = await fetchUser(context.utils);
    if (user) throw redirect({ href: pathAfterLogin(search.redirect) });
  },
  pendingComponent: Loader,
  pendingMs: 0,
});
