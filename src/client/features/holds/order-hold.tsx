import { Button } from "@mantine/core";
import { Suspense, useEffect, useState } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import type { Hold } from "#shared/holds.ts";
import { indianTime } from "#shared/indian-time.ts";
import { isUnprinted } from "#shared/order-states.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { Said } from "#ui/said.tsx";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy.tsx";
import type { HoldWay } from "./hold-forms.tsx";
import classes from "./order-hold.module.css";

const importForms = () => import("./hold-forms.tsx");
const HoldForm = lazyPart(async () => (await importForms()).HoldForm);

/** What is wrong with an order, and what the student can do about it; nothing where it is not on hold. */
export function OrderHold({ order, user }: { order: OwnOrderDetail; user: CurrentUser }) {
  const { hold, shop } = order;
  if (!hold) return null;
  return (
    <div className={classes.hold}>
      <Card title="Your order is on hold">
        <div className={classes.column}>
          <p>
            {shop.name} cannot continue with it. Nothing is lost
            {hold.answeredAt ? "." : ": the shop is waiting for your answer."}
          </p>
          <Said className={classes.said} by={shop.name} when={indianTime(hold.at)} text={hold.reason} />
          {hold.answeredAt && (
            <Said className={classes.said} by="You" when={indianTime(hold.answeredAt)} text={hold.answer} />
          )}
          {hold.answeredAt && <p role="status">The shop has your answer and will continue with the order.</p>}
          <HoldWays key={hold.id} order={order} hold={hold} user={user} />
        </div>
      </Card>
    </div>
  );
}

interface HoldWaysProps {
  order: OwnOrderDetail;
  hold: Hold;
  user: CurrentUser;
}

/** The ways on: answer, change the order, or cancel it. What is printed can only be answered. */
function HoldWays({ order, hold, user }: HoldWaysProps) {
  const [way, setWay] = useState<HoldWay | null>(null);
  /** Its button takes the focus back. */
  const [left, setLeft] = useState<HoldWay | null>(null);
  // The script of the forms comes while the student reads.
  useEffect(() => void importForms().catch(() => {}), []);
  const isChangeable = isUnprinted(order.state);
  if (!isChangeable && hold.answeredAt) return null;
  const opening = (to: HoldWay) => ({ autoFocus: left === to, onClick: () => setWay(to) });
  const buttons = (
    <div className={classes.buttons}>
      {!hold.answeredAt && <Button {...opening("answer")}>Answer the shop</Button>}
      {isChangeable && (
        <>
          <Button variant="default" {...opening("change")}>
            {order.isReprint ? "Replace a file" : "Replace a file or choose another option"}
          </Button>
          <Button variant="default" {...opening("cancel")}>
            Cancel the order
          </Button>
        </>
      )}
    </div>
  );
  function close() {
    setLeft(way);
    setWay(null);
  }
  if (way === null) return buttons;
  return (
    <Suspense fallback={buttons}>
      <HoldForm way={way} order={order} hold={hold} user={user} onClose={close} />
    </Suspense>
  );
}
