import { Checkbox, Group, Table } from "@mantine/core";
import { memo } from "react";
import { momentText } from "#admin/lib/times.ts";
import { formatPaise } from "#shared/money.ts";
import { OPEN_STATES } from "#shared/order-states.ts";
import { BackButton } from "../order/back-button.tsx";
import { MoveButton } from "../order/move-button.tsx";
import type { QueueRow } from "../order/order-answers.ts";
import { OrderFlags } from "../order/order-flags.tsx";
import { handlingText, jobText, nextMoveName } from "../order/order-words.ts";
import { StateMark } from "../order/state-mark.tsx";
import { Waiting } from "../order/waiting.tsx";
import { useOrderFocus } from "./order-focus.ts";
import classes from "./order-table.module.css";
import { useQueueActions } from "./queue-context.ts";

interface OrderRowProps {
  order: QueueRow;
  isOpen: boolean;
  isChosen: boolean;
  namesShop: boolean;
}

export const OrderRow = memo(function OrderRow({ order, isOpen, isChosen, namesShop }: OrderRowProps) {
  const { open, moveOn, choose } = useQueueActions();
  const focus = useOrderFocus(order.id);
  const next = nextMoveName(order);
  const isWaiting = (OPEN_STATES as readonly string[]).includes(order.state);
  return (
    <Table.Tr className={classes.row} data-open={isOpen || undefined}>
      <Table.Td className={classes.check}>
        {next && (
          <Checkbox
            size="xs"
            tabIndex={-1}
            aria-label={`Choose order ${order.number}`}
            checked={isChosen}
            onChange={() => choose(order)}
          />
        )}
      </Table.Td>
      <Table.Td>
        <button
          type="button"
          ref={focus}
          className={classes.open}
          data-order-id={order.id}
          aria-expanded={isOpen}
          onClick={() => open(isOpen ? undefined : order.id)}
        >
          {order.number}
        </button>
      </Table.Td>
      <Table.Td className={classes.student}>{order.studentName}</Table.Td>
      <Table.Td>
        {isWaiting ? (
          <Waiting since={order.createdAt} state={order.state} />
        ) : (
          <time dateTime={order.createdAt}>{momentText(order.createdAt)}</time>
        )}
      </Table.Td>
      <Table.Td>
        <StateMark state={order.state} fulfilment={order.fulfilment} />
        <OrderFlags order={order} />
      </Table.Td>
      <Table.Td className={`${classes.wide} ${classes.job}`}>{jobText(order)}</Table.Td>
      {namesShop && <Table.Td className={classes.wide}>{order.shopName}</Table.Td>}
      <Table.Td className={classes.wide}>{handlingText(order)}</Table.Td>
      <Table.Td className={`${classes.wide} ${classes.money}`}>{formatPaise(order.totalPaise)}</Table.Td>
      <Table.Td className={classes.next}>
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          <BackButton order={order} namesOrder size="compact-sm" variant="subtle" tabIndex={-1} />
          <MoveButton
            order={order}
            moveOn={moveOn}
            namesOrder
            size="compact-sm"
            miw="max-content"
            variant="default"
            tabIndex={-1}
          />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
});
