import { useLayoutEffect, useRef } from "react";

/** Moves the focus by `act` once the next change is on the screen, before anything else can be pressed. */
export function useFocusAfterwards(): (act: () => void) => void {
  const pending = useRef<(() => void) | null>(null);
  useLayoutEffect(() => {
    pending.current?.();
    pending.current = null;
  });
  return (act) => {
    pending.current = act;
  };
}
