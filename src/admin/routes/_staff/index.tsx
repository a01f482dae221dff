import { createFileRoute, redirect } from "@tanstack/react-router";

/** The console opens on its first screen. */
export const Route = createFileRoute("/_staff/")({
  beforeLoad: () => {
    throw redirect({ to: "/orders", replace: true });
  },
});
