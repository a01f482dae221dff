import { Button, Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type NotificationData, Notifications, notifications } from "@mantine/notifications";
import { useEffect } from "react";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import classes from "./notices.module.css";

/**
 * Where notices stand so that they lie over no button: over the navigation, and on narrow screens, which hide it, in a strip below
 * the page, which ends above it.
 */
export function Notices() {
  const { ref, height } = useElementSize();
  useEffect(() => document.documentElement.style.setProperty("--notices-height", `${height}px`), [height]);
  return (
    <div ref={ref} className={classes.strip}>
      <Notifications
        withinPortal={false}
        position="bottom-left"
        containerWidth={200}
        notificationMaxHeight="100dvh"
      />
    </div>
  );
}

let newest = 0;

/** Shows the newest notices where there are too many: older ones come back once others are closed. */
function show(notice: NotificationData): string {
  return notifications.show({ withBorder: true, priority: ++newest, ...notice });
}

/** A notice in the corner about something that was done. */
export function showDone(message: string): void {
  show({ message, color: "green" });
}

/** A notice about why something failed; it stays until it is closed. */
export function showFailure(error: unknown): void {
  showRefusal(messageOf(error));
}

/** Like `showFailure`, with its own text. One that comes again takes the place of the one before. */
export function showRefusal(message: string, title = "That did not work"): void {
  const id = `${title}: ${message}`;
  notifications.hide(id);
  show({ id, title, message, color: "red", autoClose: false });
}

const MAX_TOLD = 5;

/** Says of several orders why it did not work, of the first ones. */
export function showRefusals(reasons: string[], title?: string): void {
  if (reasons.length === 0) return;
  const different = [...new Set(reasons)];
  const told = different.slice(0, MAX_TOLD).join(". ");
  const left = different.length - MAX_TOLD;
  showRefusal(left > 0 ? `${told}. And ${left} more` : told, title);
}

/** Time to notice that it was the wrong order. */
const UNDO_MS = 20_000;

/** A notice about something that was done, with a button that undoes it. */
export function showDoneWithUndo(message: string, undo: () => void): void {
  const id = show({
    color: "green",
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" gap="xs">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          flex="none"
          variant="default"
          onClick={pressOnce(() => {
            notifications.hide(id);
            undo();
          })}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
