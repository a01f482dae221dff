import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { OwnOrderRow } from "#server/orders/orders.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { messageOf } from "#ui/errors.ts";
import { fetchMore } from "#ui/fetch-more.ts";
import { trpc } from "#ui/trpc.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { EmptyTrayArt } from "../../ui/notice.tsx";
import { fileNamesText, filesText, jobText, stateText } from "./order-texts.ts";
import classes from "./own-orders.module.css";
import { useOrdersLive } from "./use-orders-live.ts";

/** All orders of the student, newest first, with live updates. */
export function OwnOrders() {
  const orders = trpc.orders.mine.useInfiniteQuery(
    {},
    { getNextPageParam: (page) => page.next, staleTime: 0, refetchOnWindowFocus: true },
  );
  useOrdersLive();
  if (orders.isPending) return <p role="status">Loading your orders…</p>;
  if (orders.isError && !orders.data) {
    return (
      <div role="alert" className={classes.nothing}>
        <h2>Your orders cannot be shown</h2>
        <p>The store did not answer. Check your connection and try again.</p>
        <Button onClick={() => orders.refetch()}>Try again</Button>
      </div>
    );
  }
  const rows = orders.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) {
    return (
      <div className={classes.nothing}>
        <EmptyTrayArt className={classes.art} />
        <h2>You have not ordered yet</h2>
        <p>Pick a shop and upload a file. You can follow your order here.</p>
        <LinkButton to="/shops">Print something</LinkButton>
      </div>
    );
  }
  return (
    <>
      <ol className={classes.orders} aria-label="Your orders">
        {rows.map((order) => (
          <OrderItem key={order.id} order={order} />
        ))}
      </ol>
      {orders.isFetchNextPageError && (
        <p role="alert" className={classes.reason}>
          {messageOf(orders.error)}
        </p>
      )}
      {orders.hasNextPage && (
        <Button
          variant="default"
          className={classes.older}
          loading={orders.isFetchingNextPage}
          onClick={() => fetchMore(orders)}
        >
          Show older orders
        </Button>
      )}
    </>
  );
}

/** One order with its state and files. Its number links to its page. */
function OrderItem({ order }: { order: OwnOrderRow }) {
  return (
    <li className={classes.order}>
      <h2 className={classes.number}>
        <Link to="/orders/$id" params={{ id: order.id }} className={classes.link}>
          {order.number}
        </Link>
      </h2>
      <p className={classes.state} data-state={order.state}>
        {stateText(order)}
      </p>
      <p className={classes.names}>{fileNamesText(order)}</p>
      <p className={classes.facts}>
        {order.shopName}, {indianTime(order.createdAt)}
      </p>
      <p className={classes.facts}>
        {jobText(order)}, {formatPaise(order.totalPaise)}
      </p>
      {order.holdReason && (
        <p className={classes.reason}>
          {order.holdAnsweredAt ? "On hold, answered" : "On hold, please answer"}: {order.holdReason}
        </p>
      )}
      {order.cancelReason && <p className={classes.reason}>{order.cancelReason}</p>}
      <p className={classes.files}>{filesText(order)}</p>
    </li>
  );
}
