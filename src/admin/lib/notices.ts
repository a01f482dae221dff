import { notifications } from "@mantine/notifications";
import { messageOf } from "#ui/errors.ts";

/** Says in a corner that something was done. */
export function showDone(message: string): void {
  notifications.show({ message, color: "green", withBorder: true });
}

/** Says in a corner why something was not done; it stays until it is read. */
export function showFailure(error: unknown): void {
  showRefusal(messageOf(error));
}

/** The same in words of its own. */
export function showRefusal(message: string): void {
  notifications.show({ title: "Not done", message, color: "red", withBorder: true, autoClose: false });
}
