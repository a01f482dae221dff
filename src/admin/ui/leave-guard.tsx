import { Button, Group, Modal as MantineModal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { Modal } from "./modal.tsx";

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
  // Mantine's own dialog: after Back the browser already stands at the earlier entry while this asks, and an entry for the
  // question would replace those ahead.
  return (
    <MantineModal opened={status === "blocked"} onClose={() => reset?.()} title={TITLE}>
      <Answers onStay={() => reset?.()} onLeave={() => proceed?.()} />
    </MantineModal>
  );
}

interface AnswersProps {
  onStay: () => void;
  onLeave: () => void;
}

/** The same question, where what has unsaved input is a dialog, and leaving closes it. */
export function LeaveDialog({ opened, ...on }: AnswersProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={on.onStay} title={TITLE}>
      <Answers {...on} />
    </Modal>
  );
}

const TITLE = "Leave without saving?";

function Answers({ onStay, onLeave }: AnswersProps) {
  return (
    <>
      <Text>Your changes are not saved. They are lost when you leave.</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onLeave}>
          Leave
        </Button>
        <Button onClick={onStay} data-autofocus>
          Stay
        </Button>
      </Group>
    </>
  );
}
