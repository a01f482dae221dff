import { Button, Group, Paper, Text } from "@mantine/core";
import { holdPlace } from "#client/ui/hold-place.ts";
import { counted } from "#shared/counted.ts";
import { awaitsPickup, nextState } from "#shared/order-states.ts";
import { MOVE_NAMES } from "../order/order-words.ts";
import { useQueueActions } from "./queue-context.ts";
import classes from "./selection-bar.module.css";
import type { Selection } from "./use-selection.ts";

/** What can be done with the chosen orders; nothing while none is chosen. */
export function SelectionBar({ selection }: { selection: Selection }) {
  const { moveOn } = useQueueActions();
  if (selection.orders.length === 0) return null;
  const waiting = selection.orders.filter(awaitsPickup).length;
  const movable = selection.orders.filter((order) => !awaitsPickup(order));
  const groups = Map.groupBy(movable, nextState);

  return (
    <Paper component="section" aria-label="Chosen orders" withBorder shadow="md" className={classes.bar}>
      <Text fw={600} role="status">
        {counted(selection.orders.length, "order")} chosen
        {waiting > 0 && `, ${waiting} of them picked up one by one, by code`}
      </Text>
      <Group gap="xs">
        {[...groups].map(
          ([to, orders]) =>
            to && (
              <Button
                key={to}
                size="xs"
                onClick={(event) => {
                  holdPlace(event);
                  moveOn(orders);
                  selection.clear();
                }}
              >
                {MOVE_NAMES[to]} ({orders.length})
              </Button>
            ),
        )}
        <Button size="xs" variant="default" onClick={selection.clear}>
          Choose none
        </Button>
      </Group>
    </Paper>
  );
}
