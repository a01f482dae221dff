import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";

/** Ref of a message that appears out of sight, as the button that was pressed is at the form's end. */
export function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

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

/**
 * After a navigation, focuses the new page's heading, so that screen readers announce it and Tab continues there. A
 * focus set by the page or a dialog stays.
 */
export function useFocusOnArrival(): void {
  const router = useRouter();
  // The first page is no arrival, unless its link was pressed while another one was still loading.
  const [first] = useState(() => router.latestLocation.pathname);
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, toLocation }) => {
        if (toLocation.pathname === (fromLocation?.pathname ?? first)) return;
        const heading = document.querySelector<HTMLElement>("main h1");
        if (!heading || document.activeElement?.closest("main, [role=dialog], [role=alertdialog]")) return;
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }),
    [router, first],
  );
}
