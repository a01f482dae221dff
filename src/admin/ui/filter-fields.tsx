import { Box, SegmentedControl, TextInput, type TextInputProps } from "@mantine/core";
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
    // A day that is sent comes back; another one, as one that somebody decides not to go to, is not shown.
    if (required) setTyped(value);
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

interface StateTab<Value extends string> {
  value: Value;
  label: string;
  count?: number | undefined;
}

interface StateTabsProps<Value extends string> {
  /** The accessible name. */
  label: string;
  tabs: StateTab<Value>[];
  /** Undefined if none is chosen. */
  value: Value | undefined;
  onChange: (value: Value) => void;
}

/** Filters a list by state, with optional counts. Counts make it wide: on a phone it scrolls horizontally. */
export function StateTabs<Value extends string>({ label, tabs, value, onChange }: StateTabsProps<Value>) {
  return (
    <Box maw="100%" style={{ overflowX: "auto" }}>
      <SegmentedControl
        aria-label={label}
        value={value ?? ""}
        onChange={(chosen) => onChange(chosen as Value)}
        data={tabs.map((tab) => ({
          value: tab.value,
          label: tab.count ? `${tab.label} ${tab.count}` : tab.label,
        }))}
      />
    </Box>
  );
}

/** The tabs of values with these labels. */
export function tabsOf<Value extends string>(labels: Record<Value, string>): StateTab<Value>[] {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }));
}

interface PeriodFieldsProps<Preset extends string> {
  /** Periods by name, with their labels. */
  presets: Record<Preset, string>;
  /** The shown days, both included; no `preset` if they were chosen one by one. */
  period: { from: string; until: string; preset?: Preset };
  onChange: (chosen: { period?: Preset; fromDay?: string; untilDay?: string }) => void;
}

/** Chooses a period, by its name or by its days. */
export function PeriodFields<Preset extends string>({
  presets,
  period,
  onChange,
}: PeriodFieldsProps<Preset>) {
  const { from, until, preset } = period;
  const chooseDays = (fromDay: string, untilDay: string) =>
    onChange({ period: undefined, fromDay, untilDay });
  return (
    <>
      <StateTabs
        label="Period"
        tabs={tabsOf(presets)}
        value={preset}
        onChange={(chosen) => onChange({ period: chosen, fromDay: undefined, untilDay: undefined })}
      />
      <DayField label="From" required max={until} value={from} onDay={(day) => chooseDays(day, until)} />
      <DayField label="To" required min={from} value={until} onDay={(day) => chooseDays(from, day)} />
    </>
  );
}
