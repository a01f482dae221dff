import { createFileRoute, redirect } from "@tanstack/react-router";
import { LoginForm } from "../features/account/login-form.tsx";
import { NotStaff } from "../features/account/not-staff.tsx";
import { fetchUser, isStaff } from "../lib/session.ts";
import { PaperScreen } from "../ui/paper-screen.tsx";

export const Route = createFileRoute("/login")({
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === "string" ? { redirect: search.redirect } : {},
  beforeLoad: async ({ context, search }) => {
    const user = await fetchUser(context.utils);
    if (isStaff(user)) throw redirect({ href: consolePath(search.redirect) });
    return { user };
  },
  component: LoginPage,
});

function LoginPage() {
  const { user } = Route.useRouteContext();
  return (
    <PaperScreen title="Staff login">{user ? <NotStaff email={user.email} /> : <LoginForm />}</PaperScreen>
  );
}

/** A path of the console to open after login; an address from elsewhere is not followed. */
function consolePath(path: string | undefined): string {
  return path && /^\/(?![/\\])/.test(path) ? path : "/";
}
