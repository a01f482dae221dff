/** Ref of an element that takes the focus when it appears. A function in the component would take it at every rendering. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus();
}

/** The same, only where the element that had the focus is gone. */
export function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus();
}
