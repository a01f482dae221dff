import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 250;

interface SearchFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  /** Called once the typing pauses. */
  onSearch: (text: string) => void;
}

/** A search field; the search runs while typing. */
export function SearchField({ value, onSearch, ...props }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const search = useDebouncedCallback(onSearch, PAUSE_MS);
  const field = useRef<HTMLInputElement>(null);
  // A search that begins late must not take back what is typed since.
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value);
  }, [value]);
  return (
    <TextInput
      type="search"
      maxLength={200}
      {...props}
      ref={field}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
