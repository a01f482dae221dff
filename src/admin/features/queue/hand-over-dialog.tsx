import { Modal } from "@mantine/core";
import { useRef } from "react";
import { endHandOver, useHandOver } from "../order/hand-over.store.ts";
import { HandOverForm } from "./hand-over-form.tsx";
import { focusOrder, neighbourOf } from "./order-focus.ts";

/** Asks for the pickup code of the order that is being handed over. */
export function HandOverDialog() {
  const order = useHandOver((state) => state.order);
  const focusedNext = useRef<string>(undefined);

  /** Whoever works by keyboard goes on with the next order, as after any other move. */
  function done() {
    focusedNext.current = order ? neighbourOf(order.id) : undefined;
    endHandOver();
  }

  function leave() {
    focusedNext.current = order?.id;
    endHandOver();
  }

  return (
    <Modal
      opened={order !== null}
      onClose={leave}
      title={`Hand over order ${order?.number ?? ""}`}
      returnFocus={false}
      onExitTransitionEnd={() => focusedNext.current && focusOrder(focusedNext.current)}
    >
      {order && <HandOverForm order={order} onDone={done} onLeave={leave} />}
    </Modal>
  );
}
