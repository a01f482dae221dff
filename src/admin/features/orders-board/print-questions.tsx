import { Button, Group, Kbd, List, Stack, Text } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { counted } from "#shared/format.ts";
import { HOLDABLE_STATES } from "#shared/holds.ts";
import { type Sizes, sizeQuestion } from "#shared/paper-sizes.ts";
import { pressOnce } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import TbCheck from "~icons/tabler/check";
import TbPrinter from "~icons/tabler/printer";
import { showDone } from "../../lib/notices.tsx";
import { Modal } from "../../ui/modal.tsx";
import { useFindOrder } from "../order/order-cache.ts";
import { OrderError } from "../order/order-error.tsx";
import { heldText } from "../order/order-labels.ts";
import type { MovableOrder } from "../order/order-types.ts";
import {
  endAskingParts,
  endAskingSizes,
  type PartsAsked,
  partText,
  type SizesAsked,
  useAreOpened,
  useAskedParts,
  useAskedSizes,
} from "../order/print-questions.store.ts";
import { useIsPreparing } from "../order/use-print.ts";
import { focusOrder, followOrder } from "./order-focus.ts";

/** What is asked before printing: which part of an order with several, and what to do with pages of another size. */
export function PrintQuestions() {
  // They are left by Back as well, and must not open again with the board.
  useEffect(
    () => () => {
      endAskingParts();
      endAskingSizes();
    },
    [],
  );
  return (
    <>
      <PartDialog />
      <SizeDialog />
    </>
  );
}

/** Offers the parts of an order one after another; away while a question about the chosen one is open. */
function PartDialog() {
  const asked = useAskedParts((state) => state.asked);
  const isQuestionOpen = useAskedSizes((state) => state.asked !== null);
  const findOrder = useFindOrder();
  const left = useRef<string>(undefined);

  function leave() {
    left.current = asked?.order.id;
    endAskingParts();
  }

  /** Prints what is known of the order now. Until a part was opened, its state is what the clerk saw: somebody else may be first. */
  function printPart({ order, isBegun, print }: PartsAsked, part: number) {
    const now = findOrder(order.id) ?? order;
    print(order.state === "placed" && !isBegun ? { ...now, state: "placed" } : now, part);
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
      {asked && <Parts order={asked.order} print={(part) => printPart(asked, part)} onLeave={leave} />}
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
        Its parts need different printer settings. Each has a print pack of its own.
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
            onClick={pressOnce(() => print(at + 1))}
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

/** Says before printing that pages have another size than the ordered paper, and asks what to do. */
function SizeDialog() {
  const asked = useAskedSizes((state) => state.asked);
  return (
    <Modal opened={asked !== null} onClose={endAskingSizes} title={asked ? titleOf(asked.orders) : ""}>
      {asked && <SizeQuestion asked={asked} />}
    </Modal>
  );
}

function titleOf(orders: readonly MovableOrder[]): string {
  const [only, second] = orders;
  return only && !second ? `Print order ${only.number}` : `Print ${counted(orders.length, "order")}`;
}

function SizeQuestion({ asked: { orders, notes, print } }: { asked: SizesAsked }) {
  const [first] = notes;
  const [only, second] = orders;
  if (!first) return null;

  function choose(sizes: Sizes) {
    if (only && !second) followOrder(only.id);
    endAskingSizes();
    print(sizes);
  }

  return (
    <Stack gap="md">
      {orders.length === 1 ? (
        <Text>{first.note.text}.</Text>
      ) : (
        <List size="sm">
          {notes.map(({ order, note }) => (
            <List.Item key={order.id}>
              <strong>{order.number}</strong>: {note.text}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="xs">
        <Button data-autofocus onClick={pressOnce(() => choose("fit"))}>
          Fit to {first.note.paper}
        </Button>
        <Button variant="default" onClick={pressOnce(() => choose("own"))}>
          Print at their own size
        </Button>
        {only && !second && HOLDABLE_STATES.includes(only.state) && (
          <AskStudent order={only} reason={sizeQuestion(first.note)} />
        )}
      </Group>
    </Stack>
  );
}

/** Puts the order on hold with the question as its reason. */
function AskStudent({ order, reason }: { order: MovableOrder; reason: string }) {
  const { board } = trpc.useUtils();
  const hold = trpc.holds.hold.useMutation({
    onSuccess: () => showDone(heldText(order)),
    onSettled: () => board.invalidate(),
  });

  // Not once the question is closed: that about the next order may be open.
  function end() {
    endAskingSizes();
    endAskingParts();
  }

  return (
    <>
      <Button
        variant="default"
        loading={hold.isPending}
        onClick={pressOnce(() => hold.mutate({ orderId: order.id, reason }, { onSuccess: end }))}
      >
        Ask the student
      </Button>
      {hold.error && (
        <Text role="alert" size="sm" c="var(--bad)">
          {messageOf(hold.error)}
        </Text>
      )}
    </>
  );
}
