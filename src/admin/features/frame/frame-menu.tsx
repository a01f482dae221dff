import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconUserCircle } from "@tabler/icons-react";
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
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="var(--ink)" size="lg" aria-label="My account">
          <IconUserCircle size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} c="var(--ink)">
            {fullName}
          </Text>
          <Text size="xs">
            {email}, {role}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component="a" href="/">
          Storefront
        </Menu.Item>
        <Menu.Item onClick={() => logout.mutate()} disabled={logout.isPending}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
