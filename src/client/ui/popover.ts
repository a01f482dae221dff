import type { MouseEvent } from "react";

/** Closes the native popover that the clicked element stands in. */
export function closePopover(event: MouseEvent<HTMLElement>): void {
  event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
}
