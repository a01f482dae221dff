import { SimpleGrid, Title } from "@mantine/core";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import type { OptionFigures } from "./figures-answers.ts";
import { FiguresBars } from "./figures-bars.tsx";
import { useFiguresExport } from "./figures-csv.ts";
import type { Period } from "./figures-period.ts";
import { FiguresSection } from "./figures-section.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { type Measure, measured } from "./measures.ts";

/** So many of a kind are drawn; all of them stand in the table. */
const DRAWN = 6;

interface OptionsSectionProps {
  options: OptionFigures[];
  period: Period;
  measure: Measure;
}

export function OptionsSection({ options, period, measure }: OptionsSectionProps) {
  const save = useFiguresExport(period);
  return (
    <FiguresSection
      title="By option"
      note="The orders with an option, and what the option itself brought in: before rounding, tax and delivery."
      exported="options"
      onExport={() => save("options")}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
        {OPTION_KINDS.map((kind) => (
          <div key={kind}>
            <Title order={3} size="h6" mb={6}>
              {OPTION_FIELDS[kind].label}
            </Title>
            <FiguresBars bars={barsOf(options, kind, measure)} measure={measure} />
          </div>
        ))}
      </SimpleGrid>
      <FiguresTable
        label="Options"
        headings={["List", "Option"]}
        rows={options.map(({ amountPaise, ...option }) => ({
          ...option,
          id: `${option.kind} ${option.name}`,
          cells: [OPTION_FIELDS[option.kind].label, option.name],
          revenuePaise: amountPaise,
        }))}
      />
    </FiguresSection>
  );
}

function barsOf(options: OptionFigures[], kind: OptionKind, measure: Measure) {
  return options
    .filter((option) => option.kind === kind)
    .map((option) => ({ name: option.name, value: measured(measure, option) }))
    .toSorted((one, other) => other.value - one.value)
    .slice(0, DRAWN);
}
