import { Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { counted } from "#shared/format.ts";
import { PRINTABLE_STATES } from "#shared/order-states.ts";
import { type Sizes, sizeQuestion } from "#shared/paper-sizes.ts";
import { ignoreSecondPress } from "#ui/double-press.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { heldText } from "../order/order-labels.ts";
import type { MovableOrder } from "../order/order-types.ts";
import {
  endAskingParts,
  endAskingSizes,
  type SizesAsked,
  useAskedSizes,
} from "../order/print-questions.store.ts";
import { followOrder } from "./order-focus.ts";

/** Says before printing that pages have another size than the ordered paper, and asks what to do. */
export function SizeDialog() {
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
        <Button
          data-autofocus
          onClick={(event) => {
            ignoreSecondPress(event);
            choose("fit");
          }}
        >
          Fit to {first.note.paper}
        </Button>
        <Button
          variant="default"
          onClick={(event) => {
            ignoreSecondPress(event);
            choose("own");
          }}
        >
          Print at their own size
        </Button>
        {only && !second && PRINTABLE_STATES.includes(only.state) && (
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
    onSuccess() {
      endAskingSizes();
      endAskingParts();
      showDone(heldText(order));
    },
    onSettled: () => board.invalidate(),
  });
  return (
    <>
      <Button
        variant="default"
        loading={hold.isPending}
        onClick={(event) => {
          ignoreSecondPress(event);
          hold.mutate({ orderId: order.id, reason });
        }}
      >
        Ask the student
      </Button>
      {hold.error && (
        <Text role="alert" size="sm" c="red">
          {messageOf(hold.error)}
        </Text>
      )}
    </>
  );
}
