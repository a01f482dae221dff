import { ActionIcon, Anchor, Button, Popover, Stack, Text } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useStaffUser } from "#admin/lib/current-shop.ts";
import { showFailure } from "#admin/lib/notices.ts";
import { useSetUser } from "#admin/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";

/** Who is logged in, and the way out. */
export function FrameMenu() {
  const { fullName, email, role } = useStaffUser();
  const setUser = useSetUser();
  const logout = trpc.accounts.logout.useMutation({ onSuccess: () => setUser(null), onError: showFailure });
  return (
    <Popover position="bottom-end" width={240} withinPortal={false} trapFocus>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" c="var(--ink)" size="lg" aria-label="My account">
          <IconUserCircle size={22} aria-hidden="true" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="My account">
        <Stack gap="sm">
          <div>
            <Text fw={600}>{fullName}</Text>
            <Text size="sm" c="dimmed">
              {email}, {role}
            </Text>
          </div>
          <Anchor component={Link} to="/security" underline="always">
            Security
          </Anchor>
          <Anchor href="/" underline="always">
            Storefront
          </Anchor>
          <Button variant="default" onClick={() => logout.mutate()} loading={logout.isPending}>
            Log out
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
