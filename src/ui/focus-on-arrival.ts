import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/**
 * After a navigation, focuses the new page's heading, so that screen readers announce it and Tab continues there. A
 * focus set by the page or a dialog stays.
 */
export function useFocusOnArrival(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>("main h1");
        if (!heading || document.activeElement?.closest("main, [role=dialog], [role=alertdialog]")) return;
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }),
    [router],
  );
}
