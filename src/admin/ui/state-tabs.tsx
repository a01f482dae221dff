import { SegmentedControl } from "@mantine/core";
import classes from "./state-tabs.module.css";

interface StateTab<Value extends string> {
  value: Value;
  label: string;
  count?: number | undefined;
}

interface StateTabsProps<Value extends string> {
  /** What is chosen here. */
  label: string;
  tabs: StateTab<Value>[];
  /** Undefined where none of them is chosen. */
  value: Value | undefined;
  onChange: (value: Value) => void;
}

/** Narrows a list to one state; says how many there are where a count is given. */
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
