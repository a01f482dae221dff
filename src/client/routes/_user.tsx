import { createFileRoute, redirect } from "@tanstack/react-router";
import { fetchUser } from "../lib/session.ts";
import { Checking } from "../ui/checking.tsx";

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
  pendingComponent: Checking,
  pendingMs: 0,
});
