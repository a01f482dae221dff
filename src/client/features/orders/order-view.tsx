import { PageTitle } from "#client/ui/page-title.tsx";
import { indianTime } from "#shared/indian-time.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { OrderReprint } from "../reprints/order-reprint.tsx";
import { OrderActions } from "./order-actions.tsx";
import { OrderAddress } from "./order-address.tsx";
import { OrderFiles } from "./order-files.tsx";
import { OrderJob } from "./order-job.tsx";
import { OrderPayment } from "./order-payment.tsx";
import { OrderPrice } from "./order-price.tsx";
import { OrderRating } from "./order-rating.tsx";
import { OrderShop } from "./order-shop.tsx";
import type { LiveStatus } from "./order-stream.ts";
import { OrderTimeline } from "./order-timeline.tsx";
import classes from "./order-view.module.css";
import type { OrderDetail } from "./own-order.ts";
import { PickupCode } from "./pickup-code.tsx";

interface OrderViewProps {
  order: OrderDetail;
  user: CurrentUser;
  live: LiveStatus;
}

/** All about one order, a card for each matter: on the left what happens to it, on the right what was agreed. */
export function OrderView({ order, user, live }: OrderViewProps) {
  return (
    <>
      <PageTitle lead={`Placed at ${order.shop.name}, ${indianTime(order.placedAt)}`}>
        Order {order.number}
      </PageTitle>
      <OrderActions order={order} user={user} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <PickupCode order={order} />
          <OrderTimeline order={order} live={live} />
          <OrderReprint order={order} user={user} />
          <OrderRating order={order} />
          <OrderPayment order={order} />
          <OrderFiles order={order} />
          <OrderJob order={order} />
        </div>
        <div className={classes.column}>
          <OrderPrice order={order} />
          <OrderShop order={order} />
          <OrderAddress order={order} />
        </div>
      </div>
    </>
  );
}
