import { useEffect, useRef } from "react";

/**
 * Whether the student is still on the page that asks: an answer that comes late must not lead them away from where they went
 * on to.
 */
export function useStillHere(): () => boolean {
  const path = useRef<string>(null);
  useEffect(() => {
    path.current = window.location.pathname;
    return () => {
      path.current = null;
    };
  }, []);
  return () => path.current === window.location.pathname;
}
