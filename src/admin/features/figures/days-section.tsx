import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { DayFigures } from "./figures-answers.ts";
import { useFiguresExport } from "./figures-csv.ts";
import type { Period } from "./figures-period.ts";
import { FiguresSection } from "./figures-section.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { longDay } from "./figures-words.ts";
import type { Measure } from "./measures.ts";

const CHART_HEIGHT = 260;

// What draws charts is many times as large as the rest of the screen, which is there before it.
const DaysChart = lazy(() => import("./days-chart.tsx").then((module) => ({ default: module.DaysChart })));

interface DaysSectionProps {
  days: DayFigures[];
  period: Period;
  measure: Measure;
}

export function DaysSection({ days, period, measure }: DaysSectionProps) {
  const { from, until } = period;
  const save = useFiguresExport(period);
  return (
    <FiguresSection
      title="By day"
      note={from === until ? longDay(from) : `${longDay(from)} to ${longDay(until)}`}
      exported="days"
      onExport={() => save("days")}
    >
      <Suspense fallback={<Skeleton height={CHART_HEIGHT} />}>
        <DaysChart days={days} measure={measure} height={CHART_HEIGHT} />
      </Suspense>
      <FiguresTable
        label="Days"
        rows={days.map((figures) => ({ ...figures, id: figures.day, cells: [longDay(figures.day)] }))}
        headings={["Day"]}
      />
    </FiguresSection>
  );
}
