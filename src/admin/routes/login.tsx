import { createFileRoute, redirect } from "@tanstack/react-router";
import { trpc } from "#ui/trpc.ts";
import { LoginForm } from "../features/account/login-form.tsx";
import { NotStaff } from "../features/account/not-staff.tsx";
import { SecondFactorStep } from "../features/account/second-factor-step.tsx";
import { fetchUser, isStaff, useSetUser } from "../lib/session.ts";
import { CenteredScreen } from "../ui/centered-screen.tsx";
import { Loader } from "../ui/loader.tsx";

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
  const setUser = useSetUser();
  const pending = trpc.accounts.pendingLogin.useQuery(undefined, {
    staleTime: 0,
    enabled: !user,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (user) {
    return (
      <CenteredScreen title="Staff login">
        <NotStaff email={user.email} />
      </CenteredScreen>
    );
  }
  if (pending.isPending) return <Loader />;
  return (
    <CenteredScreen title={pending.data?.step === "setup" ? "Second factor" : "Staff login"}>
      {pending.data ? (
        <SecondFactorStep {...pending.data} onLoggedIn={setUser} />
      ) : (
        <LoginForm onLoggedIn={setUser} />
      )}
    </CenteredScreen>
  );
}

/** The path to open after login; home for anything but a path of the console. */
function consolePath(path: string | undefined): string {
  return path && /^\/(?![/\\])/.test(path) ? path : "/";
}
