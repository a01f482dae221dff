import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import type { DeliveryAddress } from "#shared/schemas/addresses.ts";
import type { PlaceOrderRequest } from "#shared/schemas/orders.ts";
import { codeOf, detailsOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { clearDraft, type DraftStore, useTakeOffOrdered } from "../print/draft-store.ts";
import { clearOrder, isOtherStored, type OrderDataRequest, resendUnanswered } from "../print/order-data.ts";
import { type OrderAmounts, parseAmounts } from "./order-price.ts";

interface PlacedParts {
  orderData: OrderDataRequest;
  orderValue: OrderAmounts;
  jobs?: PlaceOrderRequest["jobs"];
  fulfilment: ChosenFulfilment;
  /** The delivery address; undefined for pickup. */
  address: DeliveryAddress | undefined;
}

interface PlaceOrder {
  place: (parts: PlacedParts) => void;
  isPending: boolean;
  /** The right amounts, if the server refused those that were sent, and for delivery or pickup. */
  corrected: { fulfilment: ChosenFulfilment; amounts: OrderAmounts | null } | null;
  /** Why the order must be changed before it can be placed. */
  problem: string | null;
  /** To be called once the page says it in another way. */
  clearProblem: () => void;
}

/** Places the order of this draft, once however often it is called, and shows the result. */
export function usePlaceOrder(draft: DraftStore): PlaceOrder {
  const navigate = useNavigate();
  const setUser = useSetUser();
  const utils = trpc.useUtils();
  const takeOffOrdered = useTakeOffOrdered(draft);
  const [corrected, setCorrected] = useState<PlaceOrder["corrected"]>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isPlacing = useRef(false);

  const order = trpc.orders.place.useMutation({
    retry: resendUnanswered,
    // The overlay stays until the next page is shown, so that a placed order never looks unplaced.
    onSuccess: ({ _id }, { orderData }) => finish(_id, orderData),
    onSettled: () => {
      isPlacing.current = false;
    },
    onError: (error, { fulfilment = "delivery" }) => {
      const code = codeOf(error);
      showError({ title: FAILURE.order, text: messageOf(error) });
      if (code === "UNAUTHENTICATED") void setUser(null);
      if (code === "PRICE_CHANGED") {
        setCorrected({ fulfilment, amounts: parseAmounts(detailsOf(error).orderValue) });
        void utils.shops.byId.invalidate();
      }
      if (code === "CONFLICT") void takeOffOrdered();
      if (code === "CONFLICT" || code === "INVALID_INPUT" || code === "NOT_FOUND") {
        setProblem(messageOf(error));
        void utils.shops.byId.invalidate();
      }
    },
  });

  function place(parts: PlacedParts) {
    if (isPlacing.current) return;
    isPlacing.current = true;
    setProblem(null);
    order.mutate({ ...parts, idempotencyKey: draft.getState().orderKey });
  }

  async function finish(id: string, sent: OrderDataRequest) {
    const isShown = !isOtherStored(sent);
    // The order is still to be read while the next page comes.
    if (isShown && window.location.pathname === "/printorder") await navigate({ to: "/", replace: true });
    clearDraft(draft, ({ uploaded }) => uploaded !== null && sent.filesUrl.includes(uploaded.url));
    if (isShown) clearOrder();
    showSuccess(SUCCESS.orderPlaced, { to: `/orders/${id}`, label: "See your order" });
  }

  return {
    place,
    isPending: order.isPending,
    corrected,
    problem,
    clearProblem: () => setProblem(null),
  };
}
