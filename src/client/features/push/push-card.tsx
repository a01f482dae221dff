import { Button } from "@mantine/core";
import { Card } from "../../ui/card.tsx";
import classes from "./push.module.css";
import { SUPPORT_TEXTS, usePush } from "./use-push.ts";

/** Whether this device gets notifications. */
export function PushCard() {
  const { support, isOn, isBusy, problem, turnOn, turnOff } = usePush();
  return (
    <Card title="Notifications">
      <div className={classes.row}>
        <p className={classes.text} role="status">
          {support === null || support === "ready" ? stateText(isOn) : SUPPORT_TEXTS[support]}
        </p>
        {isOn ? (
          <Button variant="default" loading={isBusy} onClick={() => void turnOff()}>
            Turn off
          </Button>
        ) : (
          support === "ready" && (
            <Button variant="default" loading={isBusy} onClick={() => void turnOn()}>
              Turn on
            </Button>
          )
        )}
        {problem && (
          <p role="alert" className={classes.problem}>
            {problem}
          </p>
        )}
      </div>
    </Card>
  );
}

function stateText(isOn: boolean): string {
  return isOn
    ? "This device tells you when an order is ready or on its way, until you log out."
    : "This device gets no notifications about your orders.";
}
