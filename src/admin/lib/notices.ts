import { notifications } from "@mantine/notifications";
import { messageOf } from "#client/lib/errors.ts";

/** Says in a corner that something was done. */
export function showDone(message: string): void {
  notifications.show({ message, color: "green", withBorder: true });
}

/** Says in a corner why something was not done; it stays until it is read. */
export function showFailure(error: unknown): void {
  notifications.show({
    title: "Not done",
    message: messageOf(error),
    color: "red",
    withBorder: true,
    autoClose: false,
  });
}
