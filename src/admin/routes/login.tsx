import { Button, Stack, Text } from "@mantine/core";
import { createFileRoute, redirect } from "@tanstack/react-router";
import { pathAfterLogin } from "#ui/path-after-login.ts";
import { trpc } from "#ui/trpc.ts";
import { LoginForm, SecondFactorStep, usePendingLogin } from "../features/account/login-steps.tsx";
import { showFailure } from "../lib/notices.tsx";
import { fetchUser, isStaff, useSetUser } from "../lib/session.ts";
import { CenteredScreen, Loader } from "../ui/screen.tsx";

export const Route = createFileRoute("/login")({
  validateSearch: (search: Record<string, unknown>): { redirect?: string } =>
    typeof search.redirect === "string" ? { redirect: search.redirect } : {},
  beforeLoad: async ({ context, search }) => {
    const user = await fetchUser(context.utils);
    if (isStaff(user)) throw redirect({ href: pathAfterLogin(search.redirect) });
    return { user };
  },
  component: LoginPage,
});

function LoginPage() {
  const { user } = Route.useRouteContext();
  const setUser = useSetUser();
  const pending = usePendingLogin(!user);
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

/** Shown to a logged-in user who is not staff. */
function NotStaff({ email }: { email: string }) {
  const setUser = useSetUser();
  const logout = trpc.accounts.logout.useMutation({ onSuccess: () => setUser(null), onError: showFailure });
  return (
    <Stack gap="sm">
      <Text>
        You are logged in as {email}, which is not a staff account. Ask an admin of the store for an
        invitation, or log in with another account.
      </Text>
      <Button onClick={() => logout.mutate()} loading={logout.isPending}>
        Use another account
      </Button>
      <Button component="a" href="/" variant="default">
        To the storefront
      </Button>
    </Stack>
  );
}
