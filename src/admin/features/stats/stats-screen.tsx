import { Group, SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { indianDay } from "#shared/indian-time.ts";
import { trpc } from "#ui/trpc.ts";
import { useNow } from "../../lib/clock.ts";
import { useCurrentShop } from "../../lib/my-shops.ts";
import { PRESETS, periodOf, type StatsSearch } from "../../lib/screen-searches.ts";
import { PeriodFields, StateTabs, tabsOf } from "../../ui/filter-fields.tsx";
import { PageHeader, QueryFailure } from "../../ui/screen.tsx";
import { MEASURES } from "./measures.ts";
import { StatsBody, TILE_COLUMNS } from "./stats-body.tsx";

const route = getRouteApi("/_staff/stats");

/** Orders of a period by day, shop and option. */
export function StatsScreen() {
  const shown = route.useSearch();
  const navigate = route.useNavigate();
  const onShow = (changes: StatsSearch) =>
    void navigate({ search: (search) => ({ ...search, ...changes }), replace: true, resetScroll: false });
  const period = periodOf(shown, indianDay(new Date(useNow())));
  const measure = shown.measure ?? "revenue";
  const { from, until } = period;
  const shopId = useCurrentShop();
  const { data, error, isPlaceholderData, refetch } = trpc.stats.read.useQuery(
    { shopId, from, until },
    { placeholderData: (before) => before, staleTime: 0 },
  );
  return (
    <>
      <PageHeader
        title="Stats"
        lead="By the day on which orders were placed, in Indian time. Cancelled orders add no revenue; refunds do not lower it."
      />
      <Group gap="sm" mb="md" align="flex-end">
        <PeriodFields presets={PRESETS} period={period} onChange={onShow} />
        <StateTabs
          label="Measure shown in the charts"
          tabs={tabsOf(MEASURES)}
          value={measure}
          onChange={(chosen) => onShow({ measure: chosen })}
        />
      </Group>
      {error ? (
        <QueryFailure title="The stats could not be loaded" query={{ error, refetch }} />
      ) : data ? (
        <StatsBody stats={data} measure={measure} shopId={shopId} isOld={isPlaceholderData} />
      ) : (
        <StatsSkeleton />
      )}
    </>
  );
}

const TILES = ["revenue", "orders", "pages", "sheets", "cancelled"];

/** Placeholders while the stats are loading. */
function StatsSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading...">
      <SimpleGrid cols={TILE_COLUMNS} spacing="sm">
        {TILES.map((tile) => (
          <Skeleton key={tile} height={76} radius="md" />
        ))}
      </SimpleGrid>
      <Skeleton height={340} radius="md" />
      <Skeleton height={420} radius="md" />
    </Stack>
  );
}
