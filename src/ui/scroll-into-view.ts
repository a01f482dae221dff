/** Ref of a message that appears out of sight, as the button that was pressed is at the form's end. */
export function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}
