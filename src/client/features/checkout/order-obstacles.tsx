import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { formatPaise, toPaise } from "#shared/money.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { randomKey } from "#ui/random-key.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import type { DraftStore } from "../print/draft-store.ts";
import classes from "./checkout.module.css";
import type { OrderAmounts } from "./order-price.ts";

interface RefusedOrderProps {
  problem: string;
  shopId: string | undefined;
  draft: DraftStore;
}

/** The server refused the order: a file is gone, or the order was placed before with other details. */
export function RefusedOrder({ problem, shopId, draft }: RefusedOrderProps) {
  // A new key makes it another order. Nothing is ordered twice, because each file can be in one order only.
  const startAnew = () => draft.setState({ orderKey: randomKey() });
  return (
    <AlertCard title="The order could not be placed" text={problem}>
      <BackToOptions shopId={shopId} onClick={startAnew}>
        Change the order
      </BackToOptions>
      <LinkButton to="/orders" variant="default">
        See your orders
      </LinkButton>
    </AlertCard>
  );
}

interface UnknownPricesProps {
  error: unknown;
  isRetrying: boolean;
  onRetry: () => void;
}

export function UnknownPrices({ error, isRetrying, onRetry }: UnknownPricesProps) {
  return (
    <AlertCard title="The shop's prices could not be loaded" text={messageOf(error)}>
      <Button variant="default" loading={isRetrying} onClick={onRetry}>
        Try again
      </Button>
    </AlertCard>
  );
}

export function ShopGone() {
  return (
    <AlertCard
      title="The shop is no longer at Print Store"
      text="Your files are still here: another shop can print them."
    >
      <OtherShop />
    </AlertCard>
  );
}

export function FilesGone({ shopId }: { shopId: string }) {
  return (
    <AlertCard
      title="A file of this order is no longer in your list"
      text="You ordered it already, removed it, moved it to another shop, or uploaded it again."
    >
      <BackToOptions shopId={shopId}>Choose again</BackToOptions>
      <LinkButton to="/orders" variant="default">
        See your orders
      </LinkButton>
    </AlertCard>
  );
}

export function OptionsGone({ shopId }: { shopId: string }) {
  return (
    <AlertCard
      title="The shop no longer offers one of your options"
      text="Its price list has changed. Your files are still here."
    >
      <BackToOptions shopId={shopId}>Choose again</BackToOptions>
    </AlertCard>
  );
}

export function ShopClosed({ note }: { note: string }) {
  return (
    <AlertCard
      title="The shop is closed now"
      text={note || "Your order is saved here until the shop opens again."}
    >
      <OtherShop />
    </AlertCard>
  );
}

function OtherShop() {
  return (
    <LinkButton to="/shops" variant="default">
      Find another shop
    </LinkButton>
  );
}

interface PriceChangedProps {
  shopId: string | undefined;
  /** In rupees, as last shown to the student. */
  agreedSubTotal: number;
  amounts: OrderAmounts;
  onAccept: () => void;
}

/** The shop's prices have changed since the student agreed to them. */
export function PriceChanged({ shopId, agreedSubTotal, amounts, onAccept }: PriceChangedProps) {
  const total = rupees(amounts.orderTotal);
  return (
    <AlertCard
      title={`The price has changed: the total is now ${total}`}
      text={`The subtotal was ${rupees(agreedSubTotal)} when you chose your options. It is now ${rupees(amounts.subTotal)}.`}
    >
      <Button onClick={pressOnce(onAccept)}>Accept {total}</Button>
      <BackToOptions shopId={shopId}>Change the order</BackToOptions>
    </AlertCard>
  );
}

function rupees(amount: number | string): string {
  return formatPaise(toPaise(Number(amount)));
}

/** A problem that blocks the order, with ways to solve it. Takes the focus when it appears. */
function AlertCard({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={classes.obstacle}>
      <h2 ref={heading} tabIndex={-1} className={classes.obstacleTitle}>
        {title}
      </h2>
      <p className={classes.obstacleText}>{text}</p>
      <div className={classes.obstacleActions}>{children}</div>
    </section>
  );
}

interface BackToOptionsProps {
  shopId: string | undefined;
  onClick?: () => void;
  children: string;
}

/** A link back to the order's files and options, or to all shops if the shop is not known. */
function BackToOptions({ shopId, onClick, children }: BackToOptionsProps) {
  if (!shopId) {
    return (
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    );
  }
  return (
    <LinkButton to="/printnow" search={{ id: shopId }} variant="default" onClick={onClick}>
      {children}
    </LinkButton>
  );
}
