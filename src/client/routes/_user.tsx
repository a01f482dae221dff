import { createFileRoute, Outlet, redirect } from "@tanstack/react-router";
import { fetchUser, useOwnership } from "../lib/session.ts";
import { Loader } from "../ui/loader.tsx";

/** Routes for logged-in users only. */
export const Route = createFileRoute("/_user")({
  beforeLoad: async ({ context, location }) => {
    const user = await fetchUser(context.utils);
    if (!user) throw redirect({ to: "/login", search: { redirect: location.href } });
    return { user };
  },
  // A chunk of its own would cost each page of the user a request.
  codeSplitGroupings: [],
  component: OwnPages,
  pendingComponent: Loader,
  pendingMs: 0,
});

/**
 * The server renders these pages without what is stored in the browser. There they continue only once data of somebody
 * else is cleared from it.
 */
function OwnPages() {
  const { user } = Route.useRouteContext();
  return useOwnership(user._id) === "others" ? <Loader /> : <Outlet />;
}
