import { ClientOnly } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { indianTime } from "#shared/indian-time.ts";
import type { OrderDetail } from "../orders/own-order.ts";
import { Card } from "../print/card.tsx";
import classes from "./order-hold.module.css";

const HoldForms = lazy(async () => ({ default: (await import("./hold-forms.tsx")).HoldForms }));

/** What is wrong with an order, and what the student can do about it; nothing where it is not on hold. */
export function OrderHold({ order }: { order: OrderDetail }) {
  const { hold, shop } = order;
  if (!hold) return null;
  return (
    <div className={classes.hold}>
      <Card title="Your order is on hold">
        <div className={classes.column}>
          <p>{shop.name} cannot go on with it. Nothing is lost: the order waits for you.</p>
          <Said by={shop.name} at={hold.at} text={hold.reason} />
          {hold.answeredAt && <Said by="You" at={hold.answeredAt} text={hold.answer} />}
          {hold.answeredAt && <p role="status">The shop has your answer and will go on with the order.</p>}
          <ClientOnly>
            <Suspense>
              <HoldForms key={hold.id} order={order} hold={hold} />
            </Suspense>
          </ClientOnly>
        </div>
      </Card>
    </div>
  );
}

function Said({ by, at, text }: { by: string; at: string; text: string }) {
  return (
    <figure className={classes.said}>
      <blockquote>{text}</blockquote>
      <figcaption>
        {by}, {indianTime(at)}
      </figcaption>
    </figure>
  );
}
