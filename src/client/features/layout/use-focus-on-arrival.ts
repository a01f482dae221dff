import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";

/**
 * Moves the focus to a new page's heading, so that a screen reader reads it and Tab goes on from there, as after the
 * load of a document. What a page or a dialog has focused by itself keeps the focus.
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
