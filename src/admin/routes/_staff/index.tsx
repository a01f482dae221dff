import { createFileRoute, redirect } from "@tanstack/react-router";

/** Redirects to the first screen. */
export const Route = createFileRoute("/_staff/")({
  beforeLoad: () => {
    throw redirect({ to: "/orders", replace: true });
  },
});
