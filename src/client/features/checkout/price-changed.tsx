import { Button } from "@mantine/core";
import { formatPaise, toPaise } from "#shared/money.ts";
import { AlertCard } from "./alert-card.tsx";
import { BackToOptions } from "./back-to-options.tsx";
import type { OrderFigures } from "./order-price.ts";

interface PriceChangedProps {
  shopId: string | undefined;
  /** In rupees, as the student last saw it. */
  agreedSubTotal: number;
  figures: OrderFigures;
  onAccept: () => void;
}

/** The shop's prices are not those that the student agreed to. */
export function PriceChanged({ shopId, agreedSubTotal, figures, onAccept }: PriceChangedProps) {
  const total = rupees(figures.orderTotal);
  return (
    <AlertCard
      title={`The price has changed: the total is now ${total}`}
      text={`The subtotal was ${rupees(agreedSubTotal)} when you chose; the shop now asks ${rupees(figures.subTotal)}.`}
    >
      <Button onClick={onAccept}>Accept {total}</Button>
      <BackToOptions shopId={shopId}>Change the order</BackToOptions>
    </AlertCard>
  );
}

function rupees(amount: number | string): string {
  return formatPaise(toPaise(Number(amount)));
}
