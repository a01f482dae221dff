import { useEffect } from "react";
import { allowChime } from "./chime.ts";
import { useLive } from "./live.store.ts";

/** From the first click or key on, orders are heard; every one says that what came has been seen. */
export function useTouch(): void {
  useEffect(() => {
    const touch = () => {
      allowChime();
      useLive.setState({ unseen: 0 });
    };
    for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, touch);
    return () => {
      for (const kind of ["pointerdown", "keydown"]) window.removeEventListener(kind, touch);
    };
  }, []);
}
