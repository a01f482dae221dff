import { SegmentedControl } from "@mantine/core";
import classes from "./state-tabs.module.css";

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

/** Filters a list by state, with optional counts. */
export function StateTabs<Value extends string>({ label, tabs, value, onChange }: StateTabsProps<Value>) {
  return (
    <div className={classes.strip}>
      <SegmentedControl
        aria-label={label}
        value={value ?? ""}
        onChange={(chosen) => onChange(chosen as Value)}
        data={tabs.map((tab) => ({
          value: tab.value,
          label: tab.count ? `${tab.label} ${tab.count}` : tab.label,
        }))}
      />
    </div>
  );
}
