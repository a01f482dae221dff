import { Group, SimpleGrid, Skeleton, Stack, TextInput } from "@mantine/core";
import { indianDay } from "#shared/indian-days.ts";
import { trpc } from "#ui/trpc.ts";
import { useNow } from "../../lib/clock.ts";
import { useCurrentShop } from "../../lib/current-shop.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { QueryFailure } from "../../ui/query-failure.tsx";
import { StateTabs } from "../../ui/state-tabs.tsx";
import { FiguresBody } from "./figures-body.tsx";
import { type FiguresSearch, type Period, PRESETS, type Preset, periodOf } from "./figures-period.ts";
import { TILE_COLUMNS } from "./figures-tiles.tsx";
import { MEASURES, type Measure } from "./measures.ts";

interface FiguresScreenProps {
  shown: FiguresSearch;
  onShow: (changes: FiguresSearch) => void;
}

/** What was ordered in a period, by day, by shop and by option. */
export function FiguresScreen({ shown, onShow }: FiguresScreenProps) {
  const period = periodOf(shown, indianDay(new Date(useNow())));
  const measure = shown.measure ?? "revenue";
  const { from, until } = period;
  const shopId = useCurrentShop();
  const { data, error, isPlaceholderData, refetch } = trpc.figures.read.useQuery(
    { shopId, from, until },
    { placeholderData: (before) => before, staleTime: 0 },
  );
  return (
    <>
      <PageHeader
        title="Figures"
        lead="By the day on which orders were placed, in India. Cancelled orders bring in nothing."
      />
      <FiguresControls period={period} measure={measure} onShow={onShow} />
      {error ? (
        <QueryFailure title="The figures could not be loaded" query={{ error, refetch }} />
      ) : data ? (
        <FiguresBody figures={data} measure={measure} shopId={shopId} isOld={isPlaceholderData} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  );
}

const TILES = ["revenue", "orders", "pages", "sheets", "cancelled"];

/** Where the figures will stand, while they are fetched. */
function FiguresSkeleton() {
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

interface FiguresControlsProps {
  period: Period;
  measure: Measure;
  onShow: (changes: FiguresSearch) => void;
}

/** Which days are shown, and what of them the charts show. */
function FiguresControls({ period, measure, onShow }: FiguresControlsProps) {
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
