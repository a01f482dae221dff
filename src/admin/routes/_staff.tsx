import { createFileRoute, redirect, retainSearchParams } from "@tanstack/react-router";
import { Layout } from "../features/layout/layout.tsx";
import { fetchUser, isStaff } from "../lib/session.ts";
import { isOfAnother, rememberStaff } from "../lib/session-end.ts";

/** Routes for staff only. `shop` filters every screen by one shop. */
export const Route = createFileRoute("/_staff")({
  validateSearch: (search: Record<string, unknown>): { shop?: string } =>
    typeof search.shop === "string" ? { shop: search.shop } : {},
  search: { middlewares: [retainSearchParams(["shop"])] },
  beforeLoad: async ({ context, location }) => {
    let user = await fetchUser(context.utils);
    // What was typed in this tab stays during a login over it.
    if (isOfAnother(user) && (await context.checkSession())) user = await fetchUser(context.utils);
    if (!isStaff(user)) throw redirect({ to: "/login", search: { redirect: location.href } });
    rememberStaff(user);
    return { user };
  },
  component: Layout,
});
