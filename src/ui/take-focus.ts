/** Ref of an element that takes the focus when it appears. A function in the component would take it at every rendering. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}

/** The same, only where the element that had the focus is gone. */
export function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}

/** Focuses the button of the next item of a list, or the one before; without another the page. Call it before this one's item goes. */
export function focusItemBeside(button: Element): void {
  const item = button.closest("li");
  const other = item?.nextElementSibling ?? item?.previousElementSibling;
  (other?.querySelector("button") ?? button.closest("main"))?.focus({ preventScroll: true });
}
