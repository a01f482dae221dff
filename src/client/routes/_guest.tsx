import { createFileRoute, redirect, retainSearchParams } from "@tanstack/react-router";
import { pathAfterLogin } from "#ui/path-after-login.ts";
import { fetchUser } from "../lib/session.ts";
import { Loader } from "../ui/loader.tsx";

/**
 * Routes for guests only: a logged-in user is redirected home, or back to the page that required the login. Links
 * between these routes keep that page.
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
