import { Button } from "@mantine/core";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { isUnprinted } from "#shared/order-states.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import classes from "./push.module.css";
import { SUPPORT_TEXTS, usePush } from "./use-push.ts";

/** On an order under way: the offer to be told by a notification on this device. Nothing asks before its button is pressed. */
export function TellMe({ order }: { order: OwnOrderDetail }) {
  const { support, isOn, isBusy, problem, turnOn } = usePush();
  if (!hasNewsToCome(order)) return null;
  const what = order.fulfilment === "pickup" ? "when it is ready" : "when it is on its way";
  return (
    <div className={`${classes.row} ${classes.order}`}>
      {isOn ? (
        <>
          <p className={classes.text} role="status">
            This device tells you {what}.
          </p>
          <LinkButton to="/settings" variant="default">
            Change in settings
          </LinkButton>
        </>
      ) : support === null || support === "ready" ? (
        <>
          <Button variant="light" size="md" loading={isBusy} onClick={() => void turnOn()}>
            Tell me {what}
          </Button>
          <p className={classes.text}>By a notification on this device, beside the email.</p>
        </>
      ) : support === "denied" ? (
        <>
          <p className={classes.text}>This browser blocks notifications.</p>
          <LinkButton to="/settings" variant="default">
            Allow them
          </LinkButton>
        </>
      ) : (
        <p className={classes.text}>{SUPPORT_TEXTS[support]}</p>
      )}
      {problem && (
        <p role="alert" className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Whether the news that the button is about is still to come. */
function hasNewsToCome({ state, fulfilment }: OwnOrderDetail): boolean {
  return isUnprinted(state) || (state === "printed" && fulfilment === "delivery");
}
