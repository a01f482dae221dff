import type { ShopFigures } from "./figures-answers.ts";
import { FiguresBars } from "./figures-bars.tsx";
import { saveFigures, shopsCsv } from "./figures-csv.ts";
import type { Period } from "./figures-period.ts";
import { FiguresSection } from "./figures-section.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { MEASURES, type Measure, measured } from "./measures.ts";

/** So many are drawn; all of them stand in the table. */
const DRAWN = 10;

interface ShopsSectionProps {
  shops: ShopFigures[];
  period: Period;
  measure: Measure;
}

export function ShopsSection({ shops, period, measure }: ShopsSectionProps) {
  const best = shops
    .map((shop) => ({ name: shop.name, value: measured(measure, shop) }))
    .toSorted((one, other) => other.value - one.value)
    .slice(0, DRAWN);
  const label = MEASURES[measure].toLowerCase();
  return (
    <FiguresSection
      title="By shop"
      note={shops.length > DRAWN ? `The ${DRAWN} of ${shops.length} shops with the most ${label}` : undefined}
      exported="shops"
      onExport={() => saveFigures("shops", period, shopsCsv(shops))}
    >
      <FiguresBars bars={best} measure={measure} />
      <FiguresTable
        label="Shops"
        headings={["Shop", "Location"]}
        rows={shops.map((shop) => ({ ...shop, cells: [shop.name, shop.location] }))}
      />
    </FiguresSection>
  );
}
