import { createFileRoute, redirect } from "@tanstack/react-router";

/** Routes for admins only. */
export const Route = createFileRoute("/_staff/_admin")({
  beforeLoad: ({ context }) => {
    if (context.user.role !== "admin") throw redirect({ to: "/", replace: true });
  },
});
