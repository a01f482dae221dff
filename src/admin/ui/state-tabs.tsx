import { Box, SegmentedControl } from "@mantine/core";

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
