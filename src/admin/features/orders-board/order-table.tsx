import { Checkbox, Group, Select, Table, VisuallyHidden } from "@mantine/core";
import { memo } from "react";
import { indianMoment } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { nextState, ORDER_STATES, STATE_NAMES } from "#shared/order-states.ts";
import type { OrderPageRequest } from "#shared/schemas/board.ts";
import { trpc } from "#ui/trpc.ts";
import TbArrowDown from "~icons/tabler/arrow-down";
import TbArrowUp from "~icons/tabler/arrow-up";
import { type OrdersSearch, pageRequest, readOrdersSearch } from "../../lib/screen-searches.ts";
import { DayField } from "../../ui/filter-fields.tsx";
import { ListStates } from "../../ui/paged-list.tsx";
import { useMovedElsewhere } from "../order/moves.store.ts";
import { BackButton, EarlyButton, MoveButton, PrintButton } from "../order/order-buttons.tsx";
import { OrderError } from "../order/order-error.tsx";
import { handlingText, jobText, nextMoveName } from "../order/order-labels.ts";
import { OrderAge, OrderFlags, StateMark } from "../order/order-marks.tsx";
import type { ListedOrder } from "../order/order-types.ts";
import { useOrderActions } from "./order-actions.ts";
import type { CardListMarks } from "./order-card.tsx";
import { moveByArrows, useOrderFocus } from "./order-focus.ts";
import classes from "./order-table.module.css";

interface OrderTableProps extends CardListMarks {
  shopId: string | undefined;
  shown: OrdersSearch;
  onShow: (changes: OrdersSearch) => void;
}

const EMPTY = { title: "No orders here", text: "No orders match these filters." };
const NOT_FOUND = { ...EMPTY, text: "Try a part of the name, the phone or the order number." };

/** Orders of all states, page by page. */
export function OrderTable({ shopId, shown, onShow, openId, chosen, namesShop }: OrderTableProps) {
  // A search finds open orders before those that are done.
  const isSplit = shown.search !== undefined && shown.state === "all" && shown.sort === "newest";
  const request = pageRequest(shown, shopId);
  const first = usePages({ ...request, ...(isSplit && { state: "open" }) }, true);
  const isFirstDone = first.isSuccess && !first.hasNextPage && !first.isPlaceholderData;
  const done = usePages({ ...request, state: "done" }, isSplit && isFirstDone);
  const isOpenEmpty = first.data?.pages.every(({ rows }) => rows.length === 0) ?? false;
  const query = isSplit && isFirstDone && (!done.isPending || isOpenEmpty) ? done : first;
  // Where older open ones follow, it still has those of the last search.
  const isDoneShown = isSplit && !first.hasNextPage;
  const rows = [first, ...(isDoneShown ? [done] : [])].flatMap(
    ({ data }) => data?.pages.flatMap((page) => page.rows) ?? [],
  );
  return (
    <>
      <TableFilters shown={shown} onShow={onShow} />
      <ListStates query={query} isEmpty={rows.length === 0} empty={shown.search ? NOT_FOUND : EMPTY}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the buttons inside */}
        <div className={classes.sheet} onKeyDown={moveByArrows}>
          <Table className={classes.table} aria-label="Orders" verticalSpacing="xs" highlightOnHover>
            <Table.Thead>
              <Table.Tr>
                <Table.Th className={classes.check}>
                  <VisuallyHidden component="span">Choose</VisuallyHidden>
                </Table.Th>
                <Table.Th>Order</Table.Th>
                <Table.Th>Student</Table.Th>
                <SortHeading shown={shown} onShow={onShow} />
                <Table.Th>State</Table.Th>
                <Table.Th className={classes.wide}>Job</Table.Th>
                {namesShop && <Table.Th className={classes.wide}>Shop</Table.Th>}
                <Table.Th className={classes.wide}>Payment</Table.Th>
                <Table.Th className={`${classes.wide} ${classes.money}`}>Total</Table.Th>
                <Table.Th>
                  <VisuallyHidden component="span">Next step</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((order) => (
                <OrderRow
                  key={order.id}
                  order={order}
                  isOpen={order.id === openId}
                  isBeside={openId !== undefined && order.id !== openId}
                  isChosen={chosen.has(order.id)}
                  namesShop={namesShop}
                />
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </ListStates>
    </>
  );
}

function usePages(request: OrderPageRequest, enabled: boolean) {
  return trpc.board.page.useInfiniteQuery(request, {
    enabled,
    getNextPageParam: (page) => page.next,
    placeholderData: (before) => before,
  });
}

interface SortHeadingProps {
  shown: OrdersSearch;
  onShow: (changes: OrdersSearch) => void;
}

/** The heading that sorts the table by time. */
function SortHeading({ shown, onShow }: SortHeadingProps) {
  const newestFirst = shown.sort === "newest";
  const Arrow = newestFirst ? TbArrowDown : TbArrowUp;
  return (
    <Table.Th aria-sort={newestFirst ? "descending" : "ascending"}>
      <button
        type="button"
        className={classes.sort}
        title={newestFirst ? "Newest first" : "Oldest first"}
        onClick={() => onShow({ sort: newestFirst ? undefined : "newest" })}
      >
        Placed <Arrow size={14} />
      </button>
    </Table.Th>
  );
}

const STATES = [
  { value: "open", label: "Open" },
  { value: "done", label: "Done" },
  { value: "all", label: "All" },
  ...ORDER_STATES.map((state) => ({ value: state, label: STATE_NAMES[state] })),
];

interface TableFiltersProps {
  shown: OrdersSearch;
  onShow: (changes: OrdersSearch) => void;
}

/** The table's filters. Open orders are sorted oldest first, all others newest first. */
function TableFilters({ shown, onShow }: TableFiltersProps) {
  const change = (part: Record<string, unknown>) => onShow(readOrdersSearch({ ...shown, ...part }));
  return (
    <Group gap="xs" mb="md" align="flex-end">
      <Select
        label="State"
        w={150}
        data={STATES}
        allowDeselect={false}
        value={shown.state ?? "open"}
        onChange={(state) => change({ state, sort: state === "open" ? undefined : "newest" })}
      />
      <DayField label="Placed from" value={shown.fromDay ?? ""} onDay={(fromDay) => change({ fromDay })} />
      <DayField label="To" value={shown.untilDay ?? ""} onDay={(untilDay) => change({ untilDay })} />
      <Checkbox
        label="Reported printing errors"
        className={classes.reported}
        checked={shown.reported ?? false}
        onChange={({ currentTarget: { checked } }) =>
          change(checked ? { reported: true, state: "all", sort: undefined } : { reported: undefined })
        }
      />
    </Group>
  );
}

interface OrderRowProps {
  order: ListedOrder;
  isOpen: boolean;
  /** Whether another order is open: Tab then leads from that to its panel, and the arrow keys to this one. */
  isBeside: boolean;
  isChosen: boolean;
  namesShop: boolean;
}

const OrderRow = memo(function OrderRow({ order, isOpen, isBeside, isChosen, namesShop }: OrderRowProps) {
  const { open, moveOn, choose } = useOrderActions();
  const focus = useOrderFocus(order.id);
  const isMovedElsewhere = useMovedElsewhere(order);
  const next = nextMoveName(order);
  const isWaiting = nextState(order) !== null;
  return (
    <Table.Tr className={classes.row} data-open={isOpen || undefined}>
      <Table.Td className={classes.check}>
        {next && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`Select order ${order.number}`}
            checked={isChosen}
            onChange={() => choose(order)}
          />
        )}
      </Table.Td>
      <Table.Td>
        <button
          type="button"
          ref={focus}
          className={classes.open}
          data-order-id={order.id}
          tabIndex={isBeside ? -1 : undefined}
          aria-expanded={isOpen}
          onClick={() => open(isOpen ? undefined : order.id)}
        >
          {order.number}
        </button>
      </Table.Td>
      <Table.Td className={classes.student}>{order.studentName}</Table.Td>
      <Table.Td>
        {isWaiting ? (
          <OrderAge order={order} />
        ) : (
          <time dateTime={order.createdAt}>{indianMoment(order.createdAt)}</time>
        )}
      </Table.Td>
      <Table.Td>
        <StateMark state={order.state} fulfilment={order.fulfilment} />
        <OrderFlags order={order} />
        {!isOpen && <OrderError order={order} />}
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.job}`}>{jobText(order)}</Table.Td>
      {namesShop && <Table.Td className={classes.wide}>{order.shopName}</Table.Td>}
      <Table.Td className={classes.wide}>{handlingText(order)}</Table.Td>
      <Table.Td className={`${classes.wide} ${classes.money}`}>{formatPaise(order.totalPaise)}</Table.Td>
      <Table.Td className={classes.next}>
        <Group
          gap="xs"
          wrap="nowrap"
          justify="flex-end"
          style={{ pointerEvents: isMovedElsewhere ? "none" : undefined }}
        >
          {order.state === "printed" && <BackButton order={order} isIcon tabIndex={-1} />}
          <PrintButton order={order} size="compact-sm" tabIndex={-1} />
          <EarlyButton order={order} tabIndex={-1} />
          <MoveButton
            order={order}
            moveOn={moveOn}
            namesOrder
            isIcon={order.state === "placed"}
            size="compact-sm"
            miw="max-content"
            variant="default"
            tabIndex={-1}
          />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
});
