import { type ComponentProps, type KeyboardEvent, useRef } from "react";
import { flushSync } from "react-dom";

interface TextCellProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  value: string;
  onValue: (text: string) => void;
}

/** A cell of text: what is in it is selected when it is come to, and Escape brings back what was there. */
export function TextCell({ value, onValue, ...props }: TextCellProps) {
  const before = useRef(value);

  function keyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== "Escape" || value === before.current) return;
    event.preventDefault();
    flushSync(() => onValue(before.current));
    event.currentTarget.select();
  }

  return (
    <input
      type="text"
      autoComplete="off"
      {...props}
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      onFocus={(event) => {
        before.current = value;
        event.currentTarget.select();
      }}
      onKeyDown={keyDown}
    />
  );
}
