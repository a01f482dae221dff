import { Alert, Button, Group, Skeleton, Table, Text } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { counted } from "#shared/format.ts";
import { countDays, indianDay, indianMoment } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { duePaise, PAYMENT_NAMES, paymentStatus, refundDuePaise } from "#shared/payment.ts";
import { BOOK_FILTERS, type BookFilter } from "#shared/schemas/book.ts";
import { MAX_PERIOD_DAYS } from "#shared/schemas/period.ts";
import { type RouterOutputs, trpc } from "#ui/trpc.ts";
import TbDownload from "~icons/tabler/download";
import { useNow } from "../../lib/clock.ts";
import { useCurrentShop, useOneShop } from "../../lib/my-shops.ts";
import { showFailure } from "../../lib/notices.tsx";
import { BOOK_PERIODS, type BookSearch, bookPeriodOf } from "../../lib/screen-searches.ts";
import { PeriodFields, StateTabs } from "../../ui/filter-fields.tsx";
import { Menu } from "../../ui/menu.tsx";
import { ListStates, useAutoFetch } from "../../ui/paged-list.tsx";
import { PageHeader, QueryFailure } from "../../ui/screen.tsx";
import { Tiles } from "../../ui/tiles.tsx";
import classes from "./book-screen.module.css";

const route = getRouteApi("/_staff/payments");

/** The money of a period: what was ordered, what was collected, and each order with what is paid and what is not. */
export function BookScreen() {
  const shown = route.useSearch();
  const navigate = route.useNavigate();
  const onShow = (changes: BookSearch) =>
    void navigate({ search: (search) => ({ ...search, ...changes }), replace: true, resetScroll: false });
  const period = bookPeriodOf(shown, indianDay(new Date(useNow())));
  const { from, until } = period;
  const shopId = useCurrentShop();
  const oneShop = useOneShop();
  const filter = shown.filter ?? "all";
  const hasTotals = countDays(from, until) <= MAX_PERIOD_DAYS;
  const totals = trpc.book.totals.useQuery(
    { shopId, from, until },
    { placeholderData: (before) => before, staleTime: 0, enabled: hasTotals },
  );
  const query = trpc.book.orders.useInfiniteQuery(
    { shopId, from, until, filter },
    { getNextPageParam: (page) => page.next, placeholderData: (before) => before, staleTime: 0 },
  );
  useAutoFetch(query);
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      <PageHeader
        title="Payments"
        lead="Ordered counts orders by the day on which they were placed, collected counts money by the day on which it came."
      >
        <ExportMenu shopId={shopId} from={from} until={until} />
      </PageHeader>
      <Group gap="sm" mb="md" align="flex-end">
        <PeriodFields presets={BOOK_PERIODS} period={period} onChange={onShow} />
      </Group>
      <OlderRefunds shopId={shopId} before={from} onShow={onShow} />
      {hasTotals && totals.error && <QueryFailure title="The totals could not be loaded" query={totals} />}
      {hasTotals && !totals.error && <MoneyTiles totals={totals.data} />}
      {!hasTotals && (
        <Text c="dimmed">Totals are added up for a year at most. The list below has no end.</Text>
      )}
      <div className={classes.filters}>
        <StateTabs
          label="Filter"
          tabs={BOOK_FILTERS.map((value) => ({
            value,
            label: FILTER_NAMES[value],
            count: hasTotals ? totals.data?.ordered.counts[value] : undefined,
          }))}
          value={filter}
          onChange={(chosen) => onShow({ filter: chosen === "all" ? undefined : chosen })}
        />
      </div>
      <ListStates query={query} isEmpty={rows.length === 0} empty={EMPTY}>
        <OrdersTable rows={rows} namesShop={!oneShop} />
      </ListStates>
    </>
  );
}

interface OlderRefundsProps {
  shopId: string | undefined;
  /** The first day of the period on the screen. */
  before: string;
  onShow: (changes: BookSearch) => void;
}

/** Refunds that are outstanding from before the period, which would be forgotten otherwise. */
function OlderRefunds({ shopId, before, onShow }: OlderRefundsProps) {
  const { data } = trpc.book.outstanding.useQuery({ shopId, before }, { staleTime: 0 });
  if (!data?.oldest) return null;
  const { orders, amountPaise, oldest } = data;
  return (
    <Alert color="gray" mb="md">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {`${counted(orders, "older order")}: ${formatPaise(amountPaise)} still to refund, since ${indianMoment(oldest)}.`}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            onShow({ period: "all-time", fromDay: undefined, untilDay: undefined, filter: "refund-due" })
          }
        >
          Show them
        </Button>
      </Group>
    </Alert>
  );
}

const EMPTY = { title: "No orders here", text: "No orders of this period match the filter." };

const FILTER_NAMES: Record<BookFilter, string> = {
  all: "All",
  unpaid: "Unpaid",
  paid: "Paid",
  refunded: "Refunded",
  "refund-due": "To refund",
};

type Row = RouterOutputs["book"]["orders"]["rows"][number];

function OrdersTable({ rows, namesShop }: { rows: Row[]; namesShop: boolean }) {
  return (
    <div className={classes.sheet}>
      <Table className={classes.table} aria-label="Orders" verticalSpacing="xs" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Order</Table.Th>
            <Table.Th className={classes.wide}>Placed</Table.Th>
            {namesShop && <Table.Th className={classes.wide}>Shop</Table.Th>}
            <Table.Th>Payment</Table.Th>
            <Table.Th className={classes.money}>Total</Table.Th>
            <Table.Th className={`${classes.money} ${classes.paid}`}>Paid</Table.Th>
            <Table.Th className={classes.money}>Unpaid</Table.Th>
            <Table.Th className={`${classes.money} ${classes.wide}`}>Refunded</Table.Th>
            <Table.Th className={`${classes.money} ${classes.wide}`}>To refund</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((order) => (
            <Table.Tr key={order.id}>
              <Table.Td>
                <Link to="/orders" search={{ order: order.id }} className={classes.number}>
                  {order.number}
                </Link>
                <div className={classes.student}>{order.studentName}</div>
              </Table.Td>
              <Table.Td className={classes.wide}>{indianMoment(order.createdAt)}</Table.Td>
              {namesShop && <Table.Td className={classes.wide}>{order.shopName}</Table.Td>}
              <Table.Td>{PAYMENT_NAMES[paymentStatus(order)]}</Table.Td>
              <Money paise={order.totalPaise} isVoid={order.state === "cancelled"} />
              <Money paise={order.paidPaise} className={classes.paid} />
              <Money paise={duePaise(order)} />
              <Money paise={order.refundedPaise} className={classes.wide} />
              <Money paise={refundDuePaise(order)} className={classes.wide} />
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** An amount, or a dash for nothing, so that the eye finds what is there. */
function Money({ paise, className, isVoid }: { paise: number; className?: string; isVoid?: boolean }) {
  return (
    <Table.Td className={`${classes.money} ${className ?? ""}`} data-void={isVoid || undefined}>
      {paise === 0 ? <span className={classes.nothing}>–</span> : formatPaise(paise)}
    </Table.Td>
  );
}

const EXPORTS = {
  orders: "Orders",
  payments: "Payments and refunds",
  invoices: "Tax invoices and notes",
} as const;

/** Downloads the period as CSV. The server streams it, so it may be as long as one likes. */
function ExportMenu({ shopId, from, until }: { shopId: string | undefined; from: string; until: string }) {
  const confirm = trpc.book.confirmExport.useMutation({ onError: showFailure });

  async function download(name: keyof typeof EXPORTS) {
    await confirm.mutateAsync();
    const query = new URLSearchParams({ from, until, ...(shopId && { shopId }) });
    window.location.assign(`/admin/export/${name}.csv?${query}`);
  }

  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<TbDownload size={16} />} loading={confirm.isPending}>
          CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(EXPORTS).map(([name, label]) => (
          <Menu.Item key={name} onClick={() => download(name as keyof typeof EXPORTS).catch(() => {})}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type Totals = RouterOutputs["book"]["totals"];

/** The totals of the period; placeholders while they load. */
function MoneyTiles({ totals }: { totals: Totals | undefined }) {
  const tiles = tilesOf(totals).map(({ label, paise, note }) => ({
    label,
    value: paise === undefined ? <Skeleton height={24} /> : formatPaise(paise),
    note,
  }));
  return <Tiles cols={{ base: 2, sm: 3, lg: 6 }} tiles={tiles} />;
}

function tilesOf(totals: Totals | undefined) {
  if (!totals) return LABELS.map((label) => ({ label, paise: undefined, note: " " }));
  const { ordered, collected } = totals;
  const cash = collected.cashTaken - collected.cashRefunded;
  const upi = collected.upiTaken - collected.upiRefunded;
  const amounts: [number, string][] = [
    [ordered.orderedPaise, counted(ordered.orders, "order")],
    [cash + upi, "After refunds"],
    [cash, `${formatPaise(collected.cashRefunded)} refunded`],
    [upi, `${formatPaise(collected.upiRefunded)} refunded`],
    [ordered.duePaise, "Of these orders"],
    [ordered.refundDuePaise, "Of these orders"],
  ];
  return LABELS.map((label, index) => ({ label, paise: amounts[index]?.[0], note: amounts[index]?.[1] }));
}

const LABELS = ["Ordered", "Collected", "Cash", "UPI", "Unpaid", "To refund"];
