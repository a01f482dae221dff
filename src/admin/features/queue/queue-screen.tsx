import { SegmentedControl } from "@mantine/core";
import { useEffect, useMemo } from "react";
import { useCurrentShop } from "#admin/lib/current-shop.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { LiveBadge } from "../live/live-badge.tsx";
import { OrderPanel } from "../order/order-panel.tsx";
import { useMoveOn } from "../order/use-moves.ts";
import { Board } from "./board.tsx";
import { HandOverDialog } from "./hand-over-dialog.tsx";
import { showOrder } from "./order-focus.ts";
import { OrderTable } from "./order-table.tsx";
import { QueueContext } from "./queue-context.ts";
import classes from "./queue-screen.module.css";
import type { QueueSearch, QueueView } from "./queue-search.ts";
import { SearchOrders } from "./search-orders.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { useQueueKeys } from "./use-queue-keys.ts";
import { useSelection } from "./use-selection.ts";

const VIEWS = [
  { value: "board", label: "Board" },
  { value: "table", label: "Table" },
];

interface QueueScreenProps {
  shown: QueueSearch;
  /** Changes what is shown; it must not change itself, so that lists are not drawn anew for it. */
  onShow: (changes: QueueSearch) => void;
}

/** The order queue: a board or a table, and beside it the order that is open. */
export function QueueScreen({ shown, onShow }: QueueScreenProps) {
  const { view = "board", order: openId } = shown;
  const shopId = useCurrentShop();
  const selection = useSelection();
  const moveOn = useMoveOn();
  const choose = selection.toggle;
  const actions = useMemo(
    () => ({ open: (order: string | undefined) => onShow({ order }), moveOn, choose }),
    [onShow, moveOn, choose],
  );
  const show = (next: QueueView) => onShow({ view: next === "table" ? next : undefined });
  useQueueKeys({ openId, show, actions, selection });
  const chosen = useMemo(() => new Set(selection.orders.map(({ id }) => id)), [selection.orders]);
  const marks = { openId, chosen };

  // Beside an open order the lists are laid out anew, and it may have gone out of sight.
  useEffect(() => {
    if (openId) showOrder(openId);
  }, [openId]);

  return (
    <QueueContext value={actions}>
      <PageHeader title="Orders">
        <LiveBadge />
        <SearchOrders value={shown.search} onSearch={(search) => onShow(searchFor(search, shown))} />
        <SegmentedControl
          aria-label="View"
          data={VIEWS}
          value={view}
          onChange={(value) => show(value as QueueView)}
        />
      </PageHeader>
      <div className={classes.screen} data-open={openId !== undefined || undefined}>
        <div className={classes.list}>
          {view === "board" ? (
            <Board shopId={shopId} {...marks} />
          ) : (
            <OrderTable shopId={shopId} shown={shown} onShow={onShow} {...marks} />
          )}
          <SelectionBar selection={selection} />
        </div>
        {openId && <OrderPanel key={openId} orderId={openId} onClose={() => actions.open(undefined)} />}
      </div>
      <HandOverDialog />
    </QueueContext>
  );
}

/** A search is answered by the table, over all orders unless it was narrowed already. */
function searchFor(search: string, { view, state }: QueueSearch): QueueSearch {
  if (!search) return { search: undefined };
  return { search, view: "table", state: view === "table" ? state : "all" };
}
