import { Group, SimpleGrid, Skeleton, Stack } from "@mantine/core";
import { indianDay } from "#shared/indian-time.ts";
import { trpc } from "#ui/trpc.ts";
import { useNow } from "../../lib/clock.ts";
import { useCurrentShop } from "../../lib/current-shop.ts";
import { DayField } from "../../ui/day-field.tsx";
import { QueryFailure } from "../../ui/error-screens.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { StateTabs } from "../../ui/state-tabs.tsx";
import { MEASURES, type Measure } from "./measures.ts";
import { StatsBody, TILE_COLUMNS } from "./stats-body.tsx";
import { type Period, PRESETS, type Preset, periodOf, type StatsSearch } from "./stats-period.ts";

interface StatsScreenProps {
  shown: StatsSearch;
  onShow: (changes: StatsSearch) => void;
}

/** Orders of a period by day, shop and option. */
export function StatsScreen({ shown, onShow }: StatsScreenProps) {
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
        lead="By the day on which orders were placed, in Indian time. Cancelled orders add no revenue."
      />
      <StatsControls period={period} measure={measure} onShow={onShow} />
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

interface StatsControlsProps {
  period: Period;
  measure: Measure;
  onShow: (changes: StatsSearch) => void;
}

/** Chooses the period and the measure. */
function StatsControls({ period, measure, onShow }: StatsControlsProps) {
  const { from, until, preset } = period;

  function choosePreset(chosen: Preset) {
    onShow({ period: chosen, fromDay: undefined, untilDay: undefined });
  }

  const chooseDays = (fromDay: string, untilDay: string) => onShow({ period: undefined, fromDay, untilDay });

  return (
    <Group gap="sm" mb="md" align="flex-end">
      <StateTabs label="Period" tabs={tabsOf(PRESETS)} value={preset} onChange={choosePreset} />
      <DayField label="From" required max={until} value={from} onDay={(day) => chooseDays(day, until)} />
      <DayField label="To" required min={from} value={until} onDay={(day) => chooseDays(from, day)} />
      <StateTabs
        label="Measure shown in the charts"
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
