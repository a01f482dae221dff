import { Button, Stack, Text } from "@mantine/core";
import { trpc } from "#ui/trpc.ts";
import { showFailure } from "../../lib/notices.tsx";
import { useSetUser } from "../../lib/session.ts";

/** Shown to a logged-in user who is not staff. */
export function NotStaff({ email }: { email: string }) {
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
