import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { fetchUser, useClaimedBrowser } from "../lib/session.ts";
import { Loader } from "../ui/loader.tsx";

/**
 * Routes for logged-in users only. The check also runs on the server, but the content is rendered in the browser,
 * because it depends on local storage.
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

/** Renders the pages only after data of somebody else is cleared from the browser. */
function OwnPages() {
  const { user } = Route.useRouteContext();
  return useClaimedBrowser(user._id) ? <Outlet /> : <Loader />;
}
