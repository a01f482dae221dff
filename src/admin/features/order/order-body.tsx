import type { OrderDetail } from "./order-answers.ts";
import { OrderFiles } from "./order-files.tsx";
import { OrderHead } from "./order-head.tsx";
import { OrderHistory } from "./order-history.tsx";
import { OrderJob } from "./order-job.tsx";
import { OrderNotes } from "./order-notes.tsx";
import { OrderPayment } from "./order-payment.tsx";
import { OrderPrice } from "./order-price.tsx";
import { OrderRating } from "./order-rating.tsx";
import { OrderReprint } from "./order-reprint.tsx";
import { OrderStudent } from "./order-student.tsx";

/** In the order in which it is needed: what to do, with which files, for whom, and what was. */
export function OrderBody({ order }: { order: OrderDetail }) {
  return (
    <>
      <OrderHead order={order} />
      <OrderReprint order={order} />
      <OrderJob order={order} />
      <OrderFiles order={order} />
      <OrderNotes orderId={order.id} notes={order.notes} />
      <OrderStudent order={order} />
      <OrderPrice quote={order.quote} />
      <OrderPayment order={order} />
      <OrderRating order={order} />
      <OrderHistory order={order} />
    </>
  );
}
