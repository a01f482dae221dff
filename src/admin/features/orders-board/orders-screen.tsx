import { Anchor, Button, Group, Paper, SegmentedControl, Text } from "@mantine/core";
import { getRouteApi, Link, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { counted } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { awaitsPickup, nextState } from "#shared/order-states.ts";
import { mayCall } from "#shared/permissions.ts";
import { pressOnce } from "#ui/double-press.ts";
import { trpc } from "#ui/trpc.ts";
import TbPrinter from "~icons/tabler/printer";
import { useCurrentShop, useFirstShops, useOneShop } from "../../lib/my-shops.ts";
import { boardFilterOf, type OrdersSearch, type OrdersView } from "../../lib/screen-searches.ts";
import { useStaffUser } from "../../lib/session.ts";
import { PageHeader } from "../../ui/screen.tsx";
import { LiveBadge } from "../live/live-orders.tsx";
import { MOVE_NAMES } from "../order/order-labels.ts";
import { OrderPanel } from "../order/order-panel.tsx";
import { useMoveOn } from "../order/use-moves.ts";
import { canPrint, useIsPreparing, usePrint } from "../order/use-print.ts";
import { OpeningButton } from "../shops/shop-state.tsx";
import { Board } from "./board.tsx";
import { HandOverDialog } from "./hand-over.tsx";
import { OrderActionsContext, type Selection, useOrderActions, useSelection } from "./order-actions.ts";
import { OrderFilters, SearchOrders } from "./order-filters.tsx";
import { showOrder } from "./order-focus.ts";
import { OrderTable } from "./order-table.tsx";
import classes from "./orders-screen.module.css";
import { PrintQuestions } from "./print-questions.tsx";
import { useOrderShortcuts } from "./use-order-shortcuts.ts";
import { WalkIn } from "./walk-in.tsx";

const VIEWS: { value: OrdersView; label: string }[] = [
  { value: "board", label: "Board" },
  { value: "table", label: "Table" },
];

const route = getRouteApi("/_staff/orders");

/** The orders as a board or a table, with the open order beside it. */
export function OrdersScreen() {
  const shown = route.useSearch();
  const onShow = useShow();
  const { view = "board", order: openId } = shown;
  const shopId = useCurrentShop();
  const selection = useSelection(shopId);
  const moveOn = useMoveOn();
  const choose = selection.toggle;
  const actions = useMemo(
    () => ({ open: (order: string | undefined) => onShow({ order }), moveOn, choose }),
    [onShow, moveOn, choose],
  );
  const beforeSearch = useRef<OrdersSearch>(undefined);
  /** Brings back what was shown before the search, if there is one. */
  const endSearch = (changes: OrdersSearch) => {
    onShow(
      shown.search ? { ...ALL_ORDERS, ...beforeSearch.current, search: undefined, ...changes } : changes,
    );
    beforeSearch.current = undefined;
  };
  const scan = (text: string) => {
    const order = orderOfLink(text);
    if (order) endSearch({ order });
    return order !== undefined;
  };
  /** A search opens the table, over all orders unless it was filtered already. */
  const search = (text: string) => {
    if (!text && !shown.search) return;
    if (!text) return endSearch({});
    if (!shown.search) beforeSearch.current = { view: shown.view, state: shown.state, sort: shown.sort };
    const isTable = view === "table" && !shown.search;
    onShow({ search: text, ...(!isTable && ({ view: "table", state: "all", sort: "newest" } as const)) });
  };
  const show = (next: OrdersView) =>
    next === "table" ? onShow({ view: next }) : endSearch({ view: undefined });
  useOrderShortcuts({ openId, show, actions, selection });
  const chosen = useMemo(() => new Set(selection.orders.map(({ id }) => id)), [selection.orders]);
  const shops = useFirstShops();
  const oneShop = useOneShop();
  const marks = { openId, chosen, namesShop: !shopId && shops.length > 1 };

  // Opening an order changes the layout, so its card may be out of view.
  useEffect(() => {
    if (openId) showOrder(openId);
  }, [openId]);

  return (
    <OrderActionsContext value={actions}>
      <PageHeader title="Orders">
        <LiveBadge />
        <WalkIn key={oneShop} shopId={oneShop} onPlaced={(order) => onShow({ order })} />
        <SearchOrders value={shown.search} onScan={scan} onSearch={search} />
        <SegmentedControl aria-label="View" data={VIEWS} value={view} onChange={show} />
      </PageHeader>
      <ClosedShops shopId={shopId} />
      <OrderFilters shopId={oneShop} shown={shown} onShow={onShow} />
      <div className={classes.screen} data-open={openId !== undefined || undefined}>
        <div className={classes.list}>
          {view === "board" ? (
            <Board
              key={shopId}
              shopId={shopId}
              filter={boardFilterOf(shown)}
              tab={shown.column}
              onTab={(column) => onShow({ column })}
              {...marks}
            />
          ) : (
            <OrderTable shopId={shopId} shown={shown} onShow={onShow} {...marks} />
          )}
          <SelectionBar selection={selection} />
        </div>
        {openId && <OrderPanel key={openId} orderId={openId} onClose={() => actions.open(undefined)} />}
      </div>
      <HandOverDialog />
      <PrintQuestions />
    </OrderActionsContext>
  );
}

/** Changes what is shown. A constant function, so that lists do not render again. */
function useShow(): (changes: OrdersSearch) => void {
  const navigate = route.useNavigate();
  const router = useRouter();
  return useCallback(
    (changes) => {
      // Only opening an order adds a history entry, so that Back leads from it to the list.
      const opens = changes.order !== undefined && router.state.location.search.order === undefined;
      void navigate({ search: (search) => ({ ...search, ...changes }), replace: !opens, resetScroll: false });
    },
    [navigate, router],
  );
}

const REFETCH_MS = 60_000;
/** How many closed shops have a line of their own where the screen of shops lists them too. */
const MAX_CLOSED_LINES = 3;

/** Says of each shown shop that is closed that it takes no orders, or until when, with the button that opens it. */
function ClosedShops({ shopId }: { shopId: string | undefined }) {
  const { role } = useStaffUser();
  const all = trpc.schedule.closed.useQuery(undefined, { refetchInterval: REFETCH_MS }).data ?? [];
  const closed = all.filter(({ id }) => !shopId || id === shopId);
  if (closed.length === 0) return null;
  if (closed.length > MAX_CLOSED_LINES && mayCall("shops.admin.list", role)) {
    return (
      <p className={classes.closed}>
        <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/shops" />}>
          {counted(closed.length, "shop")} closed
        </Anchor>
      </p>
    );
  }
  return closed.map(({ id, name, note, closedUntil }) => (
    <section key={id} className={classes.closed} aria-label={`${name} is closed`}>
      <p>
        <strong>{name} is closed</strong>
        {closedUntil
          ? ` until ${indianTime(closedUntil)}. Orders are promised for then.`
          : " and takes no orders."}
        {note && ` Students read: ${note}`}
      </p>
      <OpeningButton shop={{ _id: id, shopName: name, isOpen: false }} />
    </section>
  ));
}

const ALL_ORDERS = { view: undefined, state: undefined, sort: undefined };

/** The order of a scanned ticket, whose QR code is its link in the console. */
function orderOfLink(text: string): string | undefined {
  return /\/admin\/orders\?order=([\w-]+)$/.exec(text.trim())?.[1];
}

/** Actions on the selected orders; nothing if none is selected. */
function SelectionBar({ selection }: { selection: Selection }) {
  const { moveOn } = useOrderActions();
  const print = usePrint();
  const isPreparing = useIsPreparing(selection.orders);
  if (selection.orders.length === 0) return null;
  const waiting = selection.orders.filter(awaitsPickup).length;
  const printable = selection.orders.filter((order) => canPrint(order));
  const movable = selection.orders.filter((order) => !awaitsPickup(order));
  const groups = Map.groupBy(movable, nextState);

  return (
    <Paper component="section" aria-label="Selected orders" withBorder shadow="md" className={classes.bar}>
      <Text fw={600} role="status">
        {counted(selection.orders.length, "order")} selected
        {waiting > 0 &&
          `, ${waiting} of them for pickup: hand ${waiting === 1 ? "that one over alone" : "those over one by one"}`}
      </Text>
      <Group gap="xs">
        {printable.length > 0 && (
          <Button
            size="xs"
            leftSection={<TbPrinter size={16} />}
            loading={isPreparing}
            onClick={pressOnce(() => print(printable, { onSettled: selection.remove }))}
          >
            Print ({printable.length})
          </Button>
        )}
        {[...groups].map(
          ([to, orders]) =>
            to && (
              <Button
                key={to}
                size="xs"
                variant={to === "printing" ? "default" : "filled"}
                onClick={pressOnce(() => {
                  moveOn(orders);
                  selection.clear();
                })}
              >
                {MOVE_NAMES[to]} ({orders.length})
              </Button>
            ),
        )}
        <Button size="xs" variant="default" onClick={selection.clear}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  );
}
