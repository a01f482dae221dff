import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { holdPlace } from "#ui/hold-place.ts";

/** So long somebody may need to see that it was the wrong order. */
const SHOWN_MS = 20_000;

/** Says in a corner that something was done, and takes it back where that is asked for. */
export function showUndoable(message: string, undo: () => void): void {
  const id = notifications.show({
    color: "green",
    withBorder: true,
    autoClose: SHOWN_MS,
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          flex="none"
          variant="default"
          onClick={(event) => {
            holdPlace(event);
            notifications.hide(id);
            undo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  });
}
