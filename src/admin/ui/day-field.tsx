import { TextInput, type TextInputProps } from "@mantine/core";
import { isDay } from "../lib/days.ts";
import { useTypedText } from "./use-typed-text.ts";

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
