import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";

interface LeaveGuardProps {
  /** Whether there is unsaved input. */
  active: boolean | (() => boolean);
  /** The part of the URL's search that the input belongs to: by default all filters of the screen. */
  of?: (search: object) => unknown;
}

/** While `active`, asks before unsaved input is lost by a link or by closing the tab. */
export function LeaveGuard({ active, of = (search) => search }: LeaveGuardProps) {
  const isActive = () => (typeof active === "function" ? active() : active);
  const placeOf = ({ pathname, search }: { pathname: string; search: object }) =>
    `${pathname} ${JSON.stringify(of(search))}`;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isActive() && placeOf(current) !== placeOf(next),
    enableBeforeUnload: isActive,
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
