import { CloseButton } from "@mantine/core";
import { useEffect, useRef } from "react";
import { trpc } from "#ui/trpc.ts";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Loader, QueryFailure } from "../../ui/screen-states.tsx";
import { OrderBody } from "./order-body.tsx";
import { StateMark } from "./order-marks.tsx";
import classes from "./order-panel.module.css";
import type { OrderDetail } from "./order-types.ts";

interface OrderPanelProps {
  orderId: string;
  onClose: () => void;
}

/** How often to check whether deleted files are erased. */
const ERASING_MS = 2000;

/** One order's details beside the list, or in its place on a narrow screen. */
export function OrderPanel({ orderId, onClose }: OrderPanelProps) {
  const panel = useRef<HTMLElement>(null);
  const {
    data: order,
    error,
    refetch,
  } = trpc.board.order.useQuery(
    { orderId },
    { staleTime: 0, refetchInterval: ({ state }) => (isErasing(state.data) ? ERASING_MS : false) },
  );

  // Where the panel covers the list, the focus must not stay under it.
  useEffect(() => {
    if (panel.current && getComputedStyle(panel.current).position === "fixed") panel.current.focus();
  }, []);

  return (
    <aside
      ref={panel}
      tabIndex={-1}
      className={classes.panel}
      aria-label={order ? `Order ${order.number}` : "Order"}
    >
      <div className={classes.bar}>
        <h2 className={classes.number}>{order?.number}</h2>
        {order && <StateMark state={order.state} fulfilment={order.fulfilment} />}
        <CloseButton className={classes.close} size="lg" aria-label="Close the order" onClick={onClose} />
      </div>
      {order && <OrderBody order={order} />}
      {!order && error && <QueryFailure title="This order could not be loaded" query={{ error, refetch }} />}
      {!order && !error && <Loader />}
      <LeaveGuard active={() => hasText(panel.current)} of={(search) => "order" in search && search.order} />
    </aside>
  );
}

/** Whether a note, an answer or a reason was begun. */
function hasText(panel: HTMLElement | null): boolean {
  return [...(panel?.querySelectorAll("textarea") ?? [])].some(({ value }) => value.trim() !== "");
}

function isErasing(order: OrderDetail | undefined): boolean {
  return order?.files.some(({ deletedAt, erasedAt }) => deletedAt && !erasedAt) ?? false;
}
