import { StateTabs, tabsOf } from "./state-tabs.tsx";
import { DayField } from "./typed-fields.tsx";

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
