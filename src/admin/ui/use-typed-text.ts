import { useDebouncedCallback } from "@mantine/hooks";
import { type RefObject, useEffect, useRef, useState } from "react";

const PAUSE_MS = 250;

interface TypedText {
  field: RefObject<HTMLInputElement | null>;
  typed: string;
  setTyped: (text: string) => void;
  /** Passes a text on once the typing pauses; `flush` does so at once. */
  send: ((text: string) => void) & { flush: () => void };
}

/**
 * What is typed into a field whose value comes back from elsewhere, as from the URL: while the field has the focus, that does not
 * take back what was typed since.
 */
export function useTypedText(value: string, onText: (text: string) => void): TypedText {
  const [typed, setTyped] = useState(value);
  const send = useDebouncedCallback(onText, PAUSE_MS);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value);
  }, [value]);
  return { field, typed, setTyped, send };
}
