import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { type RefObject, useEffect, useRef, useState } from "react";
import { isDay } from "../lib/times.ts";

interface SearchFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  value: string;
  /** Called once the typing pauses. */
  onSearch: (text: string) => void;
  /** Called before it; true if the text was a scanned code and no search. The field is empty then, for the next one. */
  onScan?: (text: string) => boolean;
}

/** A search field; the search runs while typing. */
export function SearchField({ value, onSearch, onScan, ...props }: SearchFieldProps) {
  const { field, typed, setTyped, send } = useTypedText(value, (text) => {
    if (onScan?.(text)) setTyped("");
    else onSearch(text);
  });
  return (
    <TextInput
      type="search"
      maxLength={200}
      {...props}
      ref={field}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        send(event.currentTarget.value);
      }}
    />
  );
}

interface DayFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** Such as `2026-11-21`; empty for none. */
  value: string;
  /** Called once the typing pauses; with an empty text only if the day is not required. */
  onDay: (day: string) => void;
}

/**
 * A date field. It keeps what is typed: a browser begins a part of the date anew, such as the year, when the field gets its
 * value from elsewhere.
 */
export function DayField({ value, onDay, required = false, ...props }: DayFieldProps) {
  const { field, typed, setTyped, send } = useTypedText(value, onDay);

  function type(text: string) {
    setTyped(text);
    // The first digits of a year are years as well.
    if (text === "" ? !required : isDay(text) && text >= "1000") send(text);
  }

  function leave() {
    send.flush();
    if (required && typed === "") setTyped(value);
  }

  return (
    <TextInput
      type="date"
      withAsterisk={false}
      {...props}
      ref={field}
      required={required}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={leave}
    />
  );
}

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
function useTypedText(value: string, onText: (text: string) => void): TypedText {
  const [typed, setTyped] = useState(value);
  const send = useDebouncedCallback(onText, PAUSE_MS);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (document.activeElement !== field.current) setTyped(value);
  }, [value]);
  return { field, typed, setTyped, send };
}
