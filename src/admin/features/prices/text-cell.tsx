import { type ComponentProps, type KeyboardEvent, useRef } from "react";

interface TextCellProps extends Omit<ComponentProps<"input">, "value" | "onChange"> {
  value: string;
  onValue: (text: string) => void;
}

/** A cell of text: what is in it is selected when it is come to, and Escape brings back what was there. */
export function TextCell({ value, onValue, ...props }: TextCellProps) {
  const before = useRef(value);

  function keyDown(event: KeyboardEvent) {
    if (event.key !== "Escape" || value === before.current) return;
    event.preventDefault();
    onValue(before.current);
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
