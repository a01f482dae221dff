import { Button, Kbd, Modal, Stack, Text } from "@mantine/core";
import { type KeyboardEvent, useRef } from "react";
import { ignoreSecondPress } from "#ui/double-press.ts";
import TbCheck from "~icons/tabler/check";
import TbPrinter from "~icons/tabler/printer";
import { useFindOrder } from "../order/order-cache.ts";
import { OrderError } from "../order/order-error.tsx";
import type { MovableOrder } from "../order/order-types.ts";
import {
  endAskingParts,
  partText,
  useAreOpened,
  useAskedParts,
  useAskedSizes,
} from "../order/print-questions.store.ts";
import { useIsPreparing } from "../order/use-print.ts";
import { focusOrder } from "./order-focus.ts";

/** Offers the parts of an order one after another; away while a question about the chosen one is open. */
export function PartDialog() {
  const asked = useAskedParts((state) => state.asked);
  const isQuestionOpen = useAskedSizes((state) => state.asked !== null);
  const findOrder = useFindOrder();
  const left = useRef<string>(undefined);

  function leave() {
    left.current = asked?.order.id;
    endAskingParts();
  }

  return (
    <Modal
      opened={asked !== null && !isQuestionOpen}
      onClose={leave}
      title={asked ? `Print order ${asked.order.number}` : ""}
      returnFocus={false}
      onExitTransitionEnd={() => {
        if (left.current) focusOrder(left.current);
        left.current = undefined;
      }}
    >
      {asked && (
        <Parts
          order={asked.order}
          // The first part moved the order, so what is known of it now is printed.
          print={(part) => asked.print(findOrder(asked.order.id) ?? asked.order, part)}
          onLeave={leave}
        />
      )}
    </Modal>
  );
}

interface PartsProps {
  order: MovableOrder;
  print: (part: number) => void;
  onLeave: () => void;
}

function Parts({ order, print, onLeave }: PartsProps) {
  const { parts } = order;
  const areOpened = useAreOpened(order);
  const isPreparing = useIsPreparing([order]);
  const next = areOpened.indexOf(false);
  const isDone = next === -1;

  function printByKey({ key, repeat, ctrlKey, metaKey, altKey }: KeyboardEvent) {
    const part = Number(key);
    if (!repeat && !ctrlKey && !metaKey && !altKey && part >= 1 && part <= parts.length) print(part);
  }

  return (
    <Stack gap="sm" onKeyDown={printByKey}>
      <Text size="sm" c="dimmed">
        Its parts need different settings of the printer. Each has a print pack of its own.
      </Text>
      {parts.map((part, at) => {
        const text = partText(part, at, parts.length);
        return (
          <Button
            key={text}
            variant={at === next ? "filled" : "default"}
            justify="space-between"
            h="auto"
            mih={44}
            py={6}
            styles={{ label: { whiteSpace: "normal", textAlign: "left" }, inner: { width: "100%" } }}
            leftSection={areOpened[at] ? <TbCheck size={18} /> : <TbPrinter size={18} />}
            rightSection={<Kbd aria-hidden="true">{at + 1}</Kbd>}
            aria-keyshortcuts={String(at + 1)}
            aria-busy={isPreparing}
            {...(at === Math.max(next, 0) && { "data-autofocus": true })}
            onClick={(event) => {
              ignoreSecondPress(event);
              print(at + 1);
            }}
          >
            {text}
            {areOpened[at] && " (opened)"}
          </Button>
        );
      })}
      <Text size="sm" role="status">
        {isPreparing ? "Preparing the print pack…" : isDone ? "All parts were opened" : ""}
      </Text>
      <OrderError order={order} />
      <Button variant={isDone ? "filled" : "default"} onClick={onLeave}>
        Done
      </Button>
    </Stack>
  );
}
