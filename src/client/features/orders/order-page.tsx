import { Button } from "@mantine/core";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { OrderView } from "./order-view.tsx";
import { useOrdersLive } from "./use-orders-live.ts";

/** How often to check whether files that are being deleted are gone. */
const DELETING_MS = 2000;

/** The page of one order. */
export function OrderPage({ orderId, user }: { orderId: string; user: CurrentUser }) {
  const order = trpc.orders.one.useQuery(
    { orderId },
    {
      staleTime: 0,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) => (state.data?.fileStatus.status === "deleting" ? DELETING_MS : false),
    },
  );
  const live = useOrdersLive();
  if (order.data) return <OrderView order={order.data} user={user} live={live} />;
  if (order.isPending) return <WaitOverlay active />;
  if (codeOf(order.error) === "NOT_FOUND") return <UnknownOrder />;
  return (
    <Notice art="failed" title="The order cannot be shown" text={messageOf(order.error)}>
      <Button loading={order.isFetching} onClick={() => void order.refetch()}>
        Try again
      </Button>
      <OrdersLink />
    </Notice>
  );
}

/** Also shown for somebody else's order, so that its existence is not revealed. */
export function UnknownOrder() {
  return (
    <Notice
      art="missing"
      title="This order was not found"
      text="The link may be incomplete, or the order belongs to another account."
    >
      <OrdersLink />
    </Notice>
  );
}

function OrdersLink() {
  return (
    <LinkButton to="/orders" variant="default">
      See your orders
    </LinkButton>
  );
}
