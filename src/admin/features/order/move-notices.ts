import { notifications } from "@mantine/notifications";

/** Says which of several moves were not made, and why; it stays until it is read. */
export function showRefusals(reasons: string[]): void {
  if (reasons.length === 0) return;
  notifications.show({
    title: reasons.length === 1 ? "One order was not moved" : `${reasons.length} orders were not moved`,
    message: [...new Set(reasons)].join(". "),
    color: "red",
    withBorder: true,
    autoClose: false,
  });
}
