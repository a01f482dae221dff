import { Box, Button, Group, SimpleGrid, Skeleton, Stack, Table, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { indianDay } from "#shared/indian-time.ts";
import { OPTION_FIELDS, OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { trpc } from "#ui/trpc.ts";
import TbDownload from "~icons/tabler/download";
import { useNow } from "../../lib/clock.ts";
import { useCurrentShop, useFirstShops } from "../../lib/my-shops.ts";
import { type Period, PRESETS, periodOf, type StatsSearch } from "../../lib/screen-searches.ts";
import { longDay } from "../../lib/times.ts";
import { PeriodFields, StateTabs, tabsOf } from "../../ui/filter-fields.tsx";
import { MoreButton } from "../../ui/paged-list.tsx";
import { PageHeader, QueryFailure, ScreenMessage } from "../../ui/screen.tsx";
import { ScrollBox } from "../../ui/scroll-box.tsx";
import { Tiles } from "../../ui/tiles.tsx";
import { DaysChart } from "./days-chart.tsx";
import {
  type DayStats,
  MEASURES,
  type Measure,
  measured,
  measureText,
  type OptionStats,
  type Stats,
} from "./measures.ts";
import classes from "./stats-body.module.css";
import { useStatsExport } from "./stats-csv.ts";

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

interface StatsBodyProps {
  stats: Stats;
  measure: Measure;
  /** The shop of the stats; undefined for all. */
  shopId: string | undefined;
  /** Whether these are the previous period's stats, shown while loading. */
  isOld: boolean;
}

function StatsBody({ stats, measure, shopId, isOld }: StatsBodyProps) {
  const shops = useFirstShops();
  const { total, days, options } = stats;
  if (total.orders + total.cancelled === 0) {
    return <ScreenMessage title="No orders in this period" text="Choose another period or shop above." />;
  }
  const shown = { period: daysOf(days), measure };
  return (
    <Stack gap="md" className={classes.body} data-old={isOld || undefined} aria-busy={isOld}>
      <StatsTiles total={total} />
      <DaysSection days={days} {...shown} />
      {!shopId && shops.length > 1 && <ShopsSection {...shown} />}
      {options.length > 0 && <OptionsSection options={options} {...shown} />}
    </Stack>
  );
}

/** The days of loaded stats, which may be the previous period's. */
function daysOf(days: DayStats[]): Period {
  const [first, last] = [days.at(0), days.at(-1)];
  return { from: first?.day ?? "", until: last?.day ?? "" };
}

interface DaysSectionProps {
  days: DayStats[];
  period: Period;
  measure: Measure;
}

function DaysSection({ days, period, measure }: DaysSectionProps) {
  const { from, until } = period;
  const save = useStatsExport(period);
  return (
    <StatsSection
      title="By day"
      note={from === until ? longDay(from) : `${longDay(from)} to ${longDay(until)}`}
      exported="days"
      onExport={() => save("days")}
    >
      <DaysChart days={days} measure={measure} />
      <StatsTable
        label="Days"
        rows={days.map((stats) => ({ ...stats, id: stats.day, cells: [longDay(stats.day)] }))}
        headings={["Day"]}
      />
    </StatsSection>
  );
}

/** How many options of a list the chart shows; the table shows all. */
const OPTIONS_DRAWN = 6;

interface OptionsSectionProps {
  options: OptionStats[];
  period: Period;
  measure: Measure;
}

function OptionsSection({ options, period, measure }: OptionsSectionProps) {
  const save = useStatsExport(period);
  return (
    <StatsSection
      title="By option"
      note="Orders with each option, and the option's own revenue before rounding, tax and delivery."
      exported="options"
      onExport={() => save("options")}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
        {OPTION_KINDS.map((kind) => (
          <div key={kind}>
            <Title order={3} size="h6" mb={6}>
              {OPTION_FIELDS[kind].label}
            </Title>
            <StatsBars bars={barsOf(options, kind, measure)} measure={measure} />
          </div>
        ))}
      </SimpleGrid>
      <StatsTable
        label="Options"
        headings={["List", "Option"]}
        rows={options.map(({ amountPaise, ...option }) => ({
          ...option,
          id: `${option.kind} ${option.name}`,
          cells: [OPTION_FIELDS[option.kind].label, option.name],
          revenuePaise: amountPaise,
        }))}
      />
    </StatsSection>
  );
}

function barsOf(options: OptionStats[], kind: OptionKind, measure: Measure) {
  return options
    .filter((option) => option.kind === kind)
    .map((option) => ({ name: option.name, value: measured(measure, option) }))
    .toSorted((one, other) => other.value - one.value)
    .slice(0, OPTIONS_DRAWN);
}

/** How many shops the chart shows; the table has all, page by page. */
const DRAWN = 10;
const BARS_HEIGHT = 340;

interface ShopsSectionProps {
  period: Period;
  measure: Measure;
}

/** The best shops of the period, for people with several shops. */
function ShopsSection({ period, measure }: ShopsSectionProps) {
  const { from, until } = period;
  const save = useStatsExport(period);
  const query = trpc.stats.shops.useInfiniteQuery(
    { from, until, by: measure },
    { getNextPageParam: (page) => page.next, placeholderData: (before) => before, staleTime: 0 },
  );
  const shops = query.data?.pages.flatMap((page) => page.rows) ?? [];

  return (
    <StatsSection
      title="By shop"
      note={shops.length > DRAWN ? `Top ${DRAWN} by ${MEASURES[measure].toLowerCase()}` : undefined}
      exported="shops"
      onExport={() => save("shops")}
    >
      {query.error && <QueryFailure title="The shops could not be loaded" query={query} />}
      {query.isPending && <Skeleton height={BARS_HEIGHT} />}
      <StatsBars
        bars={shops.slice(0, DRAWN).map((shop) => ({ name: shop.name, value: measured(measure, shop) }))}
        measure={measure}
      />
      {shops.length > 0 && (
        <StatsTable
          label="Shops"
          headings={["Shop", "Location"]}
          rows={shops.map((shop) => ({ ...shop, cells: [shop.name, shop.location] }))}
        >
          {query.hasNextPage && (
            <Box mt="sm">
              <MoreButton query={query}>Show more shops</MoreButton>
            </Box>
          )}
        </StatsTable>
      )}
    </StatsSection>
  );
}

interface StatsBarsProps {
  bars: { name: string; value: number }[];
  measure: Measure;
}

/** Horizontal bars, each with its name and number. */
function StatsBars({ bars, measure }: StatsBarsProps) {
  const longest = Math.max(...bars.map((bar) => bar.value), 1);
  return (
    <ol className={classes.bars}>
      {bars.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two shops may have the same name
        <li key={index}>
          <div className={classes.bar} style={{ width: `${(100 * value) / longest}%` }} />
          <span className={classes.name}>{name}</span>
          <span className={classes.value}>{measureText(measure, value)}</span>
        </li>
      ))}
    </ol>
  );
}

interface StatsSectionProps {
  title: string;
  note?: string;
  /** What the CSV contains, for the button's label: `days`. */
  exported: string;
  onExport: () => void;
  children: ReactNode;
}

/** A section of the stats with a CSV export. */
function StatsSection({ title, note, exported, onExport, children }: StatsSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={classes.sheet}>
      <Group justify="space-between" gap="xs" mb="sm" wrap="nowrap" align="flex-start">
        <div>
          <Title order={2} size="h5" id={id}>
            {title}
          </Title>
          {note && (
            <Text size="sm" c="dimmed">
              {note}
            </Text>
          )}
        </div>
        <Button
          variant="default"
          size="xs"
          flex="none"
          leftSection={<TbDownload size={16} />}
          aria-label={`Export ${exported} as CSV`}
          onClick={onExport}
        >
          CSV
        </Button>
      </Group>
      {children}
    </section>
  );
}

const TILE_COLUMNS = { base: 2, sm: 3, lg: 5 };

/** The totals of the period. */
function StatsTiles({ total }: { total: Stats["total"] }) {
  const sums = Object.entries(MEASURES).map(([name, label]) => {
    const measure = name as Measure;
    return { label, value: measureText(measure, measured(measure, total)) };
  });
  const cancelled = { label: "Cancelled orders", value: measureText("orders", total.cancelled) };
  return <Tiles cols={TILE_COLUMNS} tiles={[...sums, cancelled]} />;
}

interface StatsRow {
  id: string;
  /** The cells before the numbers. */
  cells: string[];
  orders: number;
  pages: number;
  sheets: number;
  /** Replaced by the option's own amount. */
  revenuePaise: number;
  /** Unknown for options. */
  cancelled?: number;
}

interface StatsTableProps {
  /** The kind of rows: `Days`. */
  label: string;
  headings: string[];
  rows: StatsRow[];
  /** Shown below the rows. */
  children?: ReactNode;
}

/** All numbers of a chart as a table, collapsed at first. */
function StatsTable({ label, headings, rows, children }: StatsTableProps) {
  const hasCancelled = rows.some(({ cancelled }) => cancelled !== undefined);
  return (
    <details className={classes.details}>
      <summary>{label} as a table</summary>
      <ScrollBox label={`${label} as a table`}>
        <Table className={classes.table} stickyHeader verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              {headings.map((heading) => (
                <Table.Th key={heading}>{heading}</Table.Th>
              ))}
              <Table.Th className={classes.number}>Orders</Table.Th>
              <Table.Th className={classes.number}>Pages</Table.Th>
              <Table.Th className={classes.number}>Sheets</Table.Th>
              <Table.Th className={classes.number}>{hasCancelled ? "Revenue" : "Amount"}</Table.Th>
              {hasCancelled && <Table.Th className={classes.number}>Cancelled</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ id, cells, orders, pages, sheets, revenuePaise, cancelled }) => (
              <Table.Tr key={id}>
                {cells.map((cell, column) => (
                  <Table.Td key={headings[column]}>{cell}</Table.Td>
                ))}
                <Table.Td className={classes.number}>{measureText("orders", orders)}</Table.Td>
                <Table.Td className={classes.number}>{measureText("pages", pages)}</Table.Td>
                <Table.Td className={classes.number}>{measureText("sheets", sheets)}</Table.Td>
                <Table.Td className={classes.number}>{measureText("revenue", revenuePaise)}</Table.Td>
                {cancelled !== undefined && (
                  <Table.Td className={classes.number}>{measureText("orders", cancelled)}</Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollBox>
      {children}
    </details>
  );
}
