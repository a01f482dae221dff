import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

/** While `active`, asks before unsaved input is lost by a link or by closing the tab. */
export function LeaveGuard({ active }: { active: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => active && placeOf(current) !== placeOf(next),
    enableBeforeUnload: active,
    withResolver: true,
  });
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title="Leave without saving?">
      <Text>Your changes are not saved. They are lost when you leave.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => proceed?.()}>
          Leave
        </Button>
        <Button onClick={() => reset?.()} data-autofocus>
          Stay
        </Button>
      </Group>
    </Modal>
  );
}

/** The screen and its filters. */
function placeOf({ pathname, search }: { pathname: string; search: object }): string {
  return `${pathname} ${JSON.stringify(search)}`;
}
