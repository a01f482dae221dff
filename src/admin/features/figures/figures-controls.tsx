import { Group, TextInput } from "@mantine/core";
import { StateTabs } from "../../ui/state-tabs.tsx";
import { type FiguresSearch, type Period, PRESETS, type Preset } from "./figures-period.ts";
import { MEASURES, type Measure } from "./measures.ts";

interface FiguresControlsProps {
  period: Period;
  measure: Measure;
  onShow: (changes: FiguresSearch) => void;
}

/** Which days are shown, and what of them the charts show. */
export function FiguresControls({ period, measure, onShow }: FiguresControlsProps) {
  const { from, until, preset } = period;

  function choosePreset(chosen: Preset) {
    onShow({ period: chosen, fromDay: undefined, untilDay: undefined });
  }

  /** An emptied field leaves the days as they are. */
  function chooseDays(fromDay: string, untilDay: string) {
    if (fromDay && untilDay) onShow({ period: undefined, fromDay, untilDay });
  }

  return (
    <Group gap="sm" mb="md" align="flex-end">
      <StateTabs label="Period" tabs={tabsOf(PRESETS)} value={preset} onChange={choosePreset} />
      <TextInput
        type="date"
        label="From"
        required
        withAsterisk={false}
        max={until}
        value={from}
        onChange={(event) => chooseDays(event.currentTarget.value, until)}
      />
      <TextInput
        type="date"
        label="Until"
        required
        withAsterisk={false}
        min={from}
        value={until}
        onChange={(event) => chooseDays(from, event.currentTarget.value)}
      />
      <StateTabs
        label="What the charts show"
        tabs={tabsOf(MEASURES)}
        value={measure}
        onChange={(chosen) => onShow({ measure: chosen })}
      />
    </Group>
  );
}

function tabsOf<Name extends string>(labels: Record<Name, string>): { value: Name; label: string }[] {
  return Object.entries<string>(labels).map(([value, label]) => ({ value: value as Name, label }));
}
