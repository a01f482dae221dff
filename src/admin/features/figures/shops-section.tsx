import { Box, Skeleton } from "@mantine/core";
import { trpc } from "#client/lib/trpc.ts";
import { MoreButton } from "../../ui/list-states.tsx";
import { QueryFailure } from "../../ui/query-failure.tsx";
import { FiguresBars } from "./figures-bars.tsx";
import { useFiguresExport } from "./figures-csv.ts";
import type { Period } from "./figures-period.ts";
import { FiguresSection } from "./figures-section.tsx";
import { FiguresTable } from "./figures-table.tsx";
import { MEASURES, type Measure, measured } from "./measures.ts";

/** So many are drawn; the table goes on page by page. */
const DRAWN = 10;
const BARS_HEIGHT = 340;

interface ShopsSectionProps {
  period: Period;
  measure: Measure;
}

/** The best shops of the period, of several that the person has. */
export function ShopsSection({ period, measure }: ShopsSectionProps) {
  const { from, until } = period;
  const save = useFiguresExport(period);
  const query = trpc.figures.shops.useInfiniteQuery(
    { from, until, by: measure },
    { getNextPageParam: (page) => page.next, placeholderData: (before) => before, staleTime: 0 },
  );
  const shops = query.data?.pages.flatMap((page) => page.rows) ?? [];

  return (
    <FiguresSection
      title="By shop"
      note={
        shops.length > DRAWN ? `The ${DRAWN} with the most ${MEASURES[measure].toLowerCase()}` : undefined
      }
      exported="shops"
      onExport={() => save("shops")}
    >
      {query.error && <QueryFailure title="The shops could not be loaded" query={query} />}
      {query.isPending && <Skeleton height={BARS_HEIGHT} />}
      <FiguresBars
        bars={shops.slice(0, DRAWN).map((shop) => ({ name: shop.name, value: measured(measure, shop) }))}
        measure={measure}
      />
      {shops.length > 0 && (
        <FiguresTable
          label="Shops"
          headings={["Shop", "Location"]}
          rows={shops.map((shop) => ({ ...shop, cells: [shop.name, shop.location] }))}
        >
          {query.hasNextPage && (
            <Box mt="sm">
              <MoreButton query={query}>Show more shops</MoreButton>
            </Box>
          )}
        </FiguresTable>
      )}
    </FiguresSection>
  );
}
