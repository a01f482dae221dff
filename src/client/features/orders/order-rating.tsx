import "@mantine/core/styles/Rating.layer.css";
import { ClientOnly } from "@tanstack/react-router";
import { Suspense } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { starsText } from "#shared/ratings.ts";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy.tsx";
import classes from "./order-rating.module.css";

const RatingForm = lazyPart(async () => (await import("./rating-form.tsx")).RatingForm);

/**
 * Lets the student give one to five stars once the order is delivered, and change them later. The page can be used before
 * the script of the stars has come.
 */
export function OrderRating({ order }: { order: OwnOrderDetail }) {
  if (order.state !== "delivered") return null;
  return (
    <Card title="Your rating" aside={order.stars === null ? undefined : starsText(order.stars)}>
      <p className={classes.text}>
        How was your order from {order.shop.name}? Your stars count towards its rating.
      </p>
      <div className={classes.rating}>
        <ClientOnly>
          <Suspense>
            <RatingForm order={order} />
          </Suspense>
        </ClientOnly>
      </div>
    </Card>
  );
}
