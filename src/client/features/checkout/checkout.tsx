import { Button } from "@mantine/core";
import { useRef } from "react";
import { useStore } from "zustand";
import { PageTitle } from "#client/ui/page-title.tsx";
import { WaitOverlay } from "#client/ui/wait-overlay.tsx";
import { orderValueOf } from "#shared/pricing.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import { openDraft } from "../print/draft-store.ts";
import { OrderColumns } from "../print/order-columns.tsx";
import type { OrderDataRequest } from "../print/order-data.ts";
import { saveOrderData } from "../print/order-store.ts";
import { PRICE_NOTE_ID, PricePanel } from "../print/price-panel.tsx";
import { fulfilmentAt } from "../print/print-plan.ts";
import { Destination } from "./destination.tsx";
import { OptionsGone, RefusedOrder, ShopClosed, UnknownPrices } from "./order-obstacles.tsx";
import { isAgreed, type OrderFigures, paymentText, priceOrder } from "./order-price.ts";
import { OrderSummary } from "./order-summary.tsx";
import { PriceChanged } from "./price-changed.tsx";
import { useOrderShop } from "./use-order-shop.ts";
import { usePlaceOrder } from "./use-place-order.ts";

interface CheckoutProps {
  user: CurrentUser;
  orderData: OrderDataRequest;
  address: DeliveryAddress | null;
}

/** Where it goes, what it is, what it costs, and the button that orders it. */
export function Checkout({ user, orderData, address }: CheckoutProps) {
  const shop = useOrderShop(orderData);
  const draft = openDraft(user._id, shop.data?._id ?? orderData.shopId ?? "");
  const { files, fulfilment: wished } = useStore(draft);
  const fulfilment = shop.data ? fulfilmentAt(shop.data, wished) : wished;
  const { place, isPending, right, problem } = usePlaceOrder(draft);
  const placeButton = useRef<HTMLButtonElement>(null);

  const quote = shop.data ? priceOrder(shop.data, orderData, fulfilment) : null;
  const figures = (right?.fulfilment === fulfilment && right.figures) || (quote && orderValueOf(quote));
  const agreed = figures !== null && isAgreed(orderData, figures);
  const isAddressed = address !== null || fulfilment === "pickup";

  function placeOrder() {
    if (!figures || !isAddressed) return;
    const goesTo = fulfilment === "delivery" && address ? address : undefined;
    place({ orderData, orderValue: figures, fulfilment, address: goesTo });
  }

  function accept(next: OrderFigures) {
    saveOrderData({ ...orderData, subTotal: next.subTotal });
    placeButton.current?.focus();
  }

  return (
    <>
      <PageTitle lead={`${orderData.shopName}, ${orderData.shopLocation}`}>Your order</PageTitle>
      <OrderColumns
        price={
          <PricePanel
            quote={quote}
            copies={Number(orderData.noOfCopies)}
            fulfilment={fulfilment}
            placeholder={shop.isLoading ? "" : "The price is not known."}
            note={
              agreed || shop.isLoading ? undefined : "The order cannot be placed yet: see the note at the top"
            }
            action={
              <Button
                ref={placeButton}
                size="md"
                fullWidth
                disabled={!isAddressed || !agreed}
                aria-describedby={PRICE_NOTE_ID}
                onClick={placeOrder}
              >
                {isAddressed ? "Place Order" : "address not added"}
              </Button>
            }
          />
        }
      >
        {problem && <RefusedOrder problem={problem} shopId={orderData.shopId} draft={draft} />}
        {shop.error && <UnknownPrices error={shop.error} onRetry={() => void shop.refetch()} />}
        {shop.data?.isOpen === false && <ShopClosed note={shop.data.closedNote} />}
        {shop.data && !quote && <OptionsGone shopId={shop.data._id} />}
        {quote && figures && !agreed && (
          <PriceChanged
            shopId={orderData.shopId}
            agreedSubTotal={Number(orderData.subTotal)}
            figures={figures}
            onAccept={() => accept(figures)}
          />
        )}
        <Destination
          shop={shop.data}
          orderData={orderData}
          fulfilment={fulfilment}
          address={address}
          onChoose={(chosen) => draft.setState({ fulfilment: chosen })}
        />
        <OrderSummary
          order={orderData}
          files={files}
          payment={shop.data && paymentText(shop.data, fulfilment)}
        />
      </OrderColumns>
      <WaitOverlay active={isPending || shop.isLoading} />
    </>
  );
}
