import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { fetchUser, useClaimedBrowser } from "../lib/session.ts";
import { Loader } from "../ui/loader.tsx";

/**
 * Everything below is for logged-in users only. The check also runs on the server, which then sends the page
 * without its content: what stands there comes from the browser's own storage.
 */
export const Route = createFileRoute("/_user")({
  ssr: "data-only",
  beforeLoad: async ({ context, location }) => {
    const user = await fetchUser(context.utils);
    if (!user) throw redirect({ to: "/login", search: { redirect: location.href } });
    return { user };
  },
  component: OwnPages,
  pendingComponent: Loader,
  pendingMs: 0,
});

/** What the browser holds of somebody else is gone before any of these pages looks for it. */
function OwnPages() {
  const { user } = Route.useRouteContext();
  return useClaimedBrowser(user._id) ? <Outlet /> : <Loader />;
}
