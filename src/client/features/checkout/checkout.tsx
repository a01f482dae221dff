import { Button } from "@mantine/core";
import { useRef } from "react";
import { useStore } from "zustand";
import { PageTitle } from "#client/ui/page-title.tsx";
import { WaitOverlay } from "#client/ui/wait-overlay.tsx";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { DeliveryAddress } from "#shared/schemas/orders.ts";
import { openDraft } from "../print/draft-store.ts";
import { OrderColumns } from "../print/order-columns.tsx";
import type { OrderDataRequest } from "../print/order-data.ts";
import { saveOrderData } from "../print/order-store.ts";
import { PRICE_NOTE_ID, PricePanel } from "../print/price-panel.tsx";
import { AddressCard } from "./address-card.tsx";
import { OptionsGone, RefusedOrder, ShopClosed, UnknownPrices } from "./order-obstacles.tsx";
import { figuresOf, isAgreed, type OrderFigures, priceOrder } from "./order-price.ts";
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
  const files = useStore(draft, ({ files }) => files);
  const { place, isPending, rightFigures, problem } = usePlaceOrder(draft);
  const placeButton = useRef<HTMLButtonElement>(null);

  const quote = shop.data ? priceOrder(shop.data, orderData) : null;
  const figures = rightFigures ?? (quote && figuresOf(quote));
  const agreed = figures !== null && isAgreed(orderData, figures);

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
            note={
              agreed || shop.isLoading ? undefined : "The order cannot be placed yet: see the note at the top"
            }
            action={
              <Button
                ref={placeButton}
                size="md"
                fullWidth
                disabled={!address || !agreed}
                aria-describedby={PRICE_NOTE_ID}
                onClick={() => address && figures && place({ orderData, orderValue: figures, address })}
              >
                {address ? "Place Order" : "address not added"}
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
        <AddressCard address={address} />
        <OrderSummary order={orderData} files={files} />
      </OrderColumns>
      <WaitOverlay active={isPending || shop.isLoading} />
    </>
  );
}
