import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

interface LeaveGuardProps {
  /** Whether there is unsaved input. */
  active: boolean | (() => boolean);
  /** The part of the URL's search that the input belongs to: by default all filters of the screen. */
  of?: (search: object) => unknown;
}

interface Place {
  pathname: string;
  search: object;
}

interface Step {
  current: Place;
  next: Place;
}

/** The guards on the screen. Of those that would ask, the first asks for all. */
const guards = new Set<{ current: (step: Step) => boolean }>();

/** While `active`, asks before unsaved input is lost by a link or by closing the tab. */
export function LeaveGuard({ active, of = (search) => search }: LeaveGuardProps) {
  const isActive = () => (typeof active === "function" ? active() : active);
  const placeOf = ({ pathname, search }: Place) => `${pathname} ${JSON.stringify(of(search))}`;
  const guard = useRef((_step: Step): boolean => false);
  guard.current = ({ current, next }) => isActive() && placeOf(current) !== placeOf(next);
  useEffect(() => {
    guards.add(guard);
    return () => void guards.delete(guard);
  }, []);
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: (step) => [...guards].find(({ current: asks }) => asks(step)) === guard,
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
