import "@mantine/charts/styles.layer.css";
import { BarChart } from "@mantine/charts";
import { isDay } from "#admin/lib/days.ts";
import type { DayFigures } from "./figures-answers.ts";
import { longDay, shortDay } from "./figures-words.ts";
import { MEASURES, type Measure, measured, measureText, shortMeasureText } from "./measures.ts";

interface DaysChartProps {
  days: DayFigures[];
  measure: Measure;
  height: number;
}

/** A bar for each day; the arrow keys go from one to the next. */
export function DaysChart({ days, measure, height }: DaysChartProps) {
  const label = MEASURES[measure];
  return (
    <BarChart
      h={height}
      data={days.map((figures) => ({ day: figures.day, value: measured(measure, figures) }))}
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
