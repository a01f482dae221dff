import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { isDay } from "../../lib/days.ts";
import { MEASURES, type Measure, measured, measureText, shortMeasureText } from "./measures.ts";
import { longDay, shortDay } from "./stats-period.ts";
import type { DayStats } from "./stats-types.ts";

interface DaysChartProps {
  days: DayStats[];
  measure: Measure;
  height: number;
}

/** A bar chart by day; the arrow keys move between bars. */
export function DaysChart({ days, measure, height }: DaysChartProps) {
  const label = MEASURES[measure];
  return (
    <BarChart
      h={height}
      data={days.map((stats) => ({ day: stats.day, value: measured(measure, stats) }))}
      dataKey="day"
      series={[{ name: "value", label, color: "var(--accent-strong)" }]}
      maxBarWidth={48}
      gridColor="var(--line)"
      textColor="var(--ink-soft)"
      valueFormatter={(value) => measureText(measure, value)}
      xAxisProps={{ tickFormatter: shortDay }}
      yAxisProps={{
        tickFormatter: (value) => shortMeasureText(measure, value),
        allowDecimals: false,
        width: 64,
      }}
      tooltipProps={{ labelFormatter: (day) => (isDay(day) ? longDay(day) : "") }}
      barChartProps={{ title: `${label} by day` }}
    />
  );
}
