import { Button, type ButtonProps } from "@mantine/core";
import { skipToken } from "@tanstack/react-query";
import { type ComponentPropsWithRef, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { z } from "zod";
import { useStore } from "zustand";
import { counted } from "#shared/format.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import {
  commonFacts,
  LAYOUT_LABEL,
  layoutText,
  PLAIN_LAYOUT,
  pagesFact,
  partFacts,
} from "#shared/order-jobs.ts";
import { orderValueOf, type Quote, sumOf } from "#shared/pricing.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { type DeliveryAddress, deliveryAddress } from "#shared/schemas/addresses.ts";
import { orderData as orderDataSchema } from "#shared/schemas/orders.ts";
import { pressOnce } from "#ui/double-press.ts";
import { codeOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useOwnership } from "../../lib/session.ts";
import { localItems } from "../../lib/storage.ts";
import { Card } from "../../ui/card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { openDraft } from "../print/draft-store.ts";
import { OrderColumns, PRICE_NOTE_ID, PricePanel, PromiseLine } from "../print/order-columns.tsx";
import {
  jobsField,
  jobsOf,
  type OrderDataRequest,
  type OrderState,
  orderedFiles,
  orderedPages,
  orderStore,
  saveOrderData,
  useOrder,
} from "../print/order-data.ts";
import { fulfilmentAt } from "../print/print-plan.ts";
import classes from "./checkout.module.css";
import { Destination } from "./destination.tsx";
import { Facts, FileLines } from "./order-facts.tsx";
import {
  FilesGone,
  OptionsGone,
  PriceChanged,
  RefusedOrder,
  ShopClosed,
  ShopGone,
  UnknownPrices,
} from "./order-obstacles.tsx";
import {
  isAgreed,
  isComplete,
  type OrderAmounts,
  paymentText,
  priceStoredOrder,
  type StoredOrder,
  sidesOfOrder,
} from "./order-price.ts";
import { usePlaceOrder } from "./use-place-order.ts";

/** The fixed badge of the shop cards is in no calculation. */
const OFFER_NOTE = "The 10% OFF on shop cards is not part of this price";

interface CheckoutProps {
  user: CurrentUser;
  orderData: OrderDataRequest;
  /** The one that the student has entered for this order. */
  entered: DeliveryAddress | null;
  /** The student's default one. */
  standard: DeliveryAddress | null;
}

/** Address, summary, price, and the Place Order button. */
function Checkout({ user, orderData, entered, standard }: CheckoutProps) {
  const shop = useOrderShop(orderData);
  const draft = openDraft(user._id, shop.data?._id ?? orderData.shopId ?? "");
  const { files, layout, jobs = [layout], fulfilment: wished, address: again } = useStore(draft);
  const address = entered ?? again ?? standard;
  const stored = { data: orderData, files, jobs };
  const fulfilment = shop.data ? fulfilmentAt(shop.data, wished) : wished;
  const { place, isPending, corrected, problem, clearProblem } = usePlaceOrder(draft);
  const placeButton = useRef<HTMLButtonElement>(null);

  const isGone = codeOf(shop.error) === "NOT_FOUND";
  const quote = shop.data && !isGone ? priceStoredOrder(shop.data, stored, fulfilment) : null;
  const amounts =
    quote && ((corrected?.fulfilment === fulfilment && corrected.amounts) || orderValueOf(quote));
  const agreed = amounts !== null && isAgreed(orderData, amounts);
  // What the shop's data says need not be said again.
  const isKnown = shop.data && (!shop.data.isOpen || !quote);
  if (problem && isKnown) clearProblem();
  const isAddressed = address !== null || fulfilment === "pickup";

  function placeOrder() {
    if (!amounts || !isAddressed) return;
    const goesTo = fulfilment === "delivery" && address ? address : undefined;
    place({ orderData, orderValue: amounts, ...jobsField(jobs), fulfilment, address: goesTo });
  }

  function accept(next: OrderAmounts) {
    // The button takes the focus only once it is enabled.
    flushSync(() => saveOrderData({ ...orderData, subTotal: next.subTotal }));
    placeButton.current?.focus();
  }

  const title = <PageTitle lead={`${orderData.shopName}, ${orderData.shopLocation}`}>Your order</PageTitle>;
  // Without prices the page would grow where it is read.
  if (shop.isLoading) {
    return (
      <>
        {title}
        <WaitOverlay active />
      </>
    );
  }
  return (
    <>
      {title}
      <OrderColumns
        price={
          <PricePanel
            quote={quote}
            copies={Number(orderData.noOfCopies)}
            fulfilment={fulfilment}
            placeholder="The price is not available."
            promise={
              quote &&
              orderData.shopId && (
                <PromiseLine
                  shopId={orderData.shopId}
                  pages={sumOf(sidesOfOrder(stored).flat()) * Number(orderData.noOfCopies)}
                />
              )
            }
            note={agreed ? OFFER_NOTE : "The order cannot be placed yet: see the note at the top"}
            action={
              <PlaceOrderButton
                ref={placeButton}
                isAddressed={isAddressed}
                fullWidth
                disabled={!isAddressed || !agreed}
                aria-describedby={PRICE_NOTE_ID}
                onClick={pressOnce(placeOrder)}
              />
            }
          />
        }
      >
        {problem && <RefusedOrder problem={problem} shopId={orderData.shopId} draft={draft} />}
        {isGone && <ShopGone />}
        {shop.error && !isGone && (
          <UnknownPrices
            error={shop.error}
            isRetrying={shop.isFetching}
            onRetry={() => void shop.refetch()}
          />
        )}
        {!isGone && shop.data?.isOpen === false && <ShopClosed note={shop.data.closedNote} />}
        {shop.data &&
          !quote &&
          !isGone &&
          !isPending &&
          (isComplete(stored) ? (
            <OptionsGone shopId={shop.data._id} />
          ) : (
            <FilesGone shopId={shop.data._id} />
          ))}
        {quote && amounts && !agreed && (
          <PriceChanged
            shopId={orderData.shopId}
            agreedSubTotal={Number(orderData.subTotal)}
            amounts={amounts}
            onAccept={() => accept(amounts)}
          />
        )}
        <Destination
          user={user}
          shop={shop.data}
          order={stored}
          fulfilment={fulfilment}
          address={address}
          onChoose={(chosen) => draft.setState({ fulfilment: chosen })}
        />
        <OrderSummary
          order={stored}
          quote={quote}
          payment={shop.data && paymentText(shop.data, fulfilment)}
        />
      </OrderColumns>
      <WaitOverlay active={isPending} />
    </>
  );
}

type PlaceOrderButtonProps = ButtonProps &
  Pick<ComponentPropsWithRef<"button">, "ref" | "onClick" | "aria-describedby"> & { isAddressed: boolean };

function PlaceOrderButton({ isAddressed, ...props }: PlaceOrderButtonProps) {
  return (
    <Button size="md" {...props}>
      {isAddressed ? "Place Order" : "address not added"}
    </Button>
  );
}

/** The shop of an order: by its id, or without one by the three fields of the contract. */
function useOrderShop({ shopId, shopName, shopLocation, shopEmail }: OrderDataRequest) {
  const list = trpc.shops.list.useQuery(shopId ? skipToken : { search: shopName });
  const named = list.data?.find(
    (shop) => shop.shopName === shopName && shop.shopLocation === shopLocation && shop.email === shopEmail,
  );
  const id = shopId ?? named?._id;
  return trpc.shops.byId.useQuery(id ? { id } : skipToken);
}

interface OrderSummaryProps {
  /** Names of files are from the draft; the order data has only their URLs. */
  order: StoredOrder;
  /** Null where the shop no longer offers it. */
  quote: Quote | null;
  /** How the order is paid; undefined while unknown. */
  payment: string | undefined;
}

/** The order data, the files and the payment. */
function OrderSummary({ order: { data: order, files, jobs: wishes }, quote, payment }: OrderSummaryProps) {
  const listed = orderedFiles(order, files);
  const printed = orderedPages(order, files).map((file, at) => ({ ...file, name: listed[at]?.name ?? "" }));
  const jobs = jobsOf(printed, wishes);
  const pages = Number(order.noOfPages);
  const layoutOfAll = layoutText(wishes[0] ?? PLAIN_LAYOUT);
  const asOrdered = [
    ...(layoutOfAll ? [{ label: LAYOUT_LABEL, value: layoutOfAll }] : []),
    ...OPTION_KINDS.map((kind) => ({
      label: OPTION_FIELDS[kind].label,
      value: order[OPTION_FIELDS[kind].orderField],
    })),
  ];
  return (
    <Card title="Order summary" aside={counted(order.filesUrl.length, "file")}>
      <div className={classes.files}>
        <FileLines files={listed} />
      </div>
      <Facts
        facts={[
          pagesFact(pages, quote ? sumOf(quote.jobs.map((job) => job.pages)) : pages),
          { label: "Number of copies", value: String(order.noOfCopies) },
          ...(quote
            ? [
                ...commonFacts({ jobs, quote }),
                ...partFacts({ files: printed, jobs, quote, copies: Number(order.noOfCopies) }),
              ]
            : asOrdered),
          { label: "Message to the shop", value: order.message || "None" },
          ...(payment ? [{ label: "Payment", value: payment }] : []),
          { label: "Order emails go to", value: order.userEmail },
          { label: "Shop", value: `${order.shopName}, ${order.shopLocation}` },
          {
            label: "Shop contact",
            value: [order.shopContactNumber, order.shopEmail].filter(Boolean).join("\n"),
          },
        ]}
      />
    </Card>
  );
}

/** The last step of an order, from the order data that Continue has stored. */
export function CheckoutPage({ user }: { user: CurrentUser }) {
  return (
    <div className={classes.page}>
      <StoredCheckout user={user} />
    </div>
  );
}

function StoredCheckout({ user }: { user: CurrentUser }) {
  const isOwn = useOwnership(user._id) === "own";
  // Read while rendering, so that a student with an order never sees that there is none.
  const isRead = useMemo(() => {
    if (isOwn) loadOrder();
    return isOwn;
  }, [isOwn]);
  const { address: entered, orderData } = useOrder(user.email);
  const standard = useDefaultAddress();
  if (!isRead) return <PageTitle>Your order</PageTitle>;
  // A second tab may prepare an order at another shop, which begins with a state of its own.
  if (orderData)
    return (
      <Checkout
        key={orderData.shopId ?? orderData.shopName}
        user={user}
        orderData={orderData}
        entered={entered}
        standard={standard}
      />
    );
  return (
    <Notice
      art="empty"
      title="No Item has added!!"
      text="Choose a shop, upload your files and come back here to order."
    >
      <LinkButton to="/shops">Find a print shop</LinkButton>
      <PlaceOrderButton isAddressed={(entered ?? standard) !== null} disabled />
    </Notice>
  );
}

/**
 * The student's default address, which an order has until another is entered; null if there was none when the page was
 * opened, so that a form that is being filled in stays.
 */
function useDefaultAddress(): DeliveryAddress | null {
  const { addresses } = trpc.useUtils();
  const [standard] = useState(() => addresses.list.getData()?.find(({ isDefault }) => isDefault));
  if (!standard) return null;
  const { country, roadNo, flatno, fullname } = standard;
  return { country, roadNo, flatno, fullname };
}

/** Reads what is stored of the order, except what this tab has set before. */
function loadOrder(): void {
  const { address, orderData } = readOrder();
  orderStore.setState((known) => ({
    address: known.address ?? address,
    orderData: known.orderData ?? orderData,
  }));
}

// Another tab may place or change the order while this one shows another page.
globalThis.window?.addEventListener("storage", ({ key }) => {
  if (key === "orderData" || key === "address") orderStore.setState(readOrder());
});

function readOrder(): OrderState {
  return {
    address: readable(deliveryAddress, localItems.get("address")),
    orderData: readable(orderDataSchema, localItems.get("orderData")),
  };
}

/** The stored value if it matches the present schema, else null. */
function readable<Value>(schema: z.ZodType, value: Value | null): Value | null {
  return schema.safeParse(value).success ? value : null;
}
