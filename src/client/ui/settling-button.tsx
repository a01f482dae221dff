import { Button, type ButtonProps } from "@mantine/core";
import { type MouseEvent, useEffect, useRef, useState } from "react";
import { holdPlace, SETTLE_MS } from "./hold-place.ts";

interface SettlingButtonProps extends ButtonProps {
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  type?: "button" | "submit";
  "aria-label"?: string;
}

/**
 * A button that becomes another action once it is pressed, or makes room for one. Neither the second press of a double click
 * nor a key that is pressed twice is taken for that other one.
 */
export function SettlingButton({ onClick, ...props }: SettlingButtonProps) {
  const [isSettling, setSettling] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function press(event: MouseEvent<HTMLButtonElement>): void {
    if (isSettling) return;
    holdPlace(event);
    setSettling(true);
    timer.current = setTimeout(() => setSettling(false), SETTLE_MS);
    onClick(event);
  }

  // Not `disabled`, by which it would lose the focus.
  return (
    <Button {...props} onClick={press} aria-disabled={isSettling} data-disabled={isSettling || undefined} />
  );
}
