import "@mantine/core/styles/Rating.layer.css";
import { Button } from "@mantine/core";
import { ClientOnly, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { counted, formatBytes, formatCount, mailLink } from "#shared/format.ts";
import { indianTime } from "#shared/indian-time.ts";
import { commonFacts, pagesFact, partFacts } from "#shared/order-jobs.ts";
import { nextState } from "#shared/order-states.ts";
import { chosenPagesText, countPrinted } from "#shared/print-pages.ts";
import { starsText } from "#shared/ratings.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import type { LiveStatus } from "#ui/live-events.ts";
import { trpc } from "#ui/trpc.ts";
import { importOnline, useStillHere } from "../../lib/connection.ts";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import { ADDRESS_FIELDS, Facts, FileLines } from "../checkout/order-facts.tsx";
import { OrderHold } from "../holds/order-hold.tsx";
import { PriceLines } from "../print/prices.tsx";
import { OrderReprint } from "../reprints/order-reprint.tsx";
import classes from "./order-page.module.css";
import { OrderPayment } from "./order-payment.tsx";
import { filesText } from "./order-texts.ts";
import { OrderTimeline } from "./order-timeline.tsx";
import { useOrdersLive } from "./use-orders-live.ts";

/** How often to check whether files that are being deleted are gone. */
const DELETING_MS = 2000;

/** The page of one order. */
export function OrderPage({ orderId, user }: { orderId: string; user: CurrentUser }) {
  const order = trpc.orders.one.useQuery(
    { orderId },
    {
      staleTime: 0,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) => (state.data?.fileStatus.status === "deleting" ? DELETING_MS : false),
    },
  );
  const live = useOrdersLive();
  if (order.data) return <OrderView order={order.data} user={user} live={live} />;
  if (order.isPending) return <WaitOverlay active />;
  if (codeOf(order.error) === "NOT_FOUND") return <UnknownOrder />;
  return (
    <Notice art="failed" title="The order cannot be shown" text={messageOf(order.error)}>
      <Button loading={order.isFetching} onClick={() => void order.refetch()}>
        Try again
      </Button>
      <OrdersLink />
    </Notice>
  );
}

/** Also shown for somebody else's order, so that its existence is not revealed. */
export function UnknownOrder() {
  return (
    <Notice
      art="missing"
      title="This order was not found"
      text="The link may be incomplete, or the order belongs to another account."
    >
      <OrdersLink />
    </Notice>
  );
}

function OrdersLink() {
  return (
    <LinkButton to="/orders" variant="default">
      See your orders
    </LinkButton>
  );
}

interface OrderViewProps {
  order: OwnOrderDetail;
  user: CurrentUser;
  live: LiveStatus;
}

/** One order in cards: progress on the left, what was agreed on the right. */
function OrderView({ order, user, live }: OrderViewProps) {
  return (
    <>
      <PageTitle lead={`Placed at ${order.shop.name}, ${indianTime(order.placedAt)}`}>
        Order {order.number}
      </PageTitle>
      <OrderHold order={order} user={user} />
      <OrderActions order={order} user={user} />
      <div className={classes.columns}>
        <div className={classes.column}>
          <PickupCode order={order} />
          <OrderTimeline order={order} live={live} />
          <OrderReprint order={order} user={user} />
          <OrderRating order={order} />
          <OrderPayment order={order} />
          <OrderFiles order={order} />
          <OrderJob order={order} />
        </div>
        <div className={classes.column}>
          <OrderPrice order={order} />
          <OrderShop order={order} />
          <OrderAddress order={order} />
        </div>
      </div>
    </>
  );
}

/** The price at the time of the order. */
function OrderPrice({ order: { quote, copies, fulfilment } }: { order: OwnOrderDetail }) {
  return (
    <Card title="Price">
      <PriceLines quote={quote} copies={copies} fulfilment={fulfilment} />
    </Card>
  );
}

/** The code to show at the shop; only while the order is ready for pickup. */
function PickupCode({ order: { pickupCode, shop } }: { order: OwnOrderDetail }) {
  if (!pickupCode) return null;
  return (
    <Card title="Your pickup code">
      <p className={classes.code}>{pickupCode}</p>
      <p>
        Your prints are ready at {shop.name}, {shop.location}. Show this code to pick them up.
      </p>
    </Card>
  );
}

/** Delivery address or pickup location; nothing if there is no address. */
function OrderAddress({ order: { address, fulfilment, shop } }: { order: OwnOrderDetail }) {
  if (fulfilment === "pickup") {
    return (
      <Card title="Pickup">
        <Facts facts={[{ label: "Place", value: `${shop.name}, ${shop.location}` }]} />
      </Card>
    );
  }
  if (!address) return null;
  return (
    <Card title="Delivery address">
      <Facts facts={ADDRESS_FIELDS.map(({ name, label }) => ({ label, value: address[name] }))} />
    </Card>
  );
}

/** The print options. */
function OrderJob({ order }: { order: OwnOrderDetail }) {
  const { files, pages, copies, quote, message } = order;
  return (
    <Card title="Print job">
      <Facts
        facts={[
          pagesFact(countPrinted(files), pages),
          { label: "Number of copies", value: formatCount(copies) },
          ...commonFacts(order),
          ...partFacts(order),
          { label: "Sheets of paper", value: formatCount(quote.sheets) },
          { label: "Message to the shop", value: message || "None" },
        ]}
      />
    </Card>
  );
}

/** The files, and when they are or were deleted. */
function OrderFiles({ order: { files, fileStatus } }: { order: OwnOrderDetail }) {
  return (
    <Card title="Files" aside={counted(files.length, "file")}>
      <FileLines
        files={files.map((file) => ({
          key: file.id,
          name: file.name,
          facts: `${chosenPagesText(file)}, ${formatBytes(file.bytes)}`,
        }))}
      />
      <p className={classes.status} data-status={fileStatus.status}>
        {filesText({ files: fileStatus })}
      </p>
    </Card>
  );
}

/** The shop and its contact details. */
function OrderShop({ order: { shop } }: { order: OwnOrderDetail }) {
  return (
    <Card title="Shop">
      <Facts
        facts={[
          { label: "Name", value: shop.name },
          { label: "Location", value: shop.location },
          ...(shop.contactNumber
            ? [
                {
                  label: "Phone",
                  value: (
                    <a className={classes.contact} href={`tel:${shop.contactNumber.replaceAll(" ", "")}`}>
                      {shop.contactNumber}
                    </a>
                  ),
                },
              ]
            : []),
          {
            label: "Email",
            value: (
              <a className={classes.contact} href={mailLink(shop.email)}>
                {shop.email}
              </a>
            ),
          },
        ]}
      />
    </Card>
  );
}

function OrderActions({ order, user }: { order: OwnOrderDetail; user: CurrentUser }) {
  const { orderAgain, isPreparing, problem } = useOrderAgain(order, user);
  return (
    <div className={classes.actions}>
      {/* A cancelled reprint is ordered again for free, on the page of its original. */}
      {!(order.isReprint && order.state === "cancelled") && (
        <Button
          variant={nextState(order) ? "default" : "filled"}
          loading={isPreparing}
          onClick={() => void orderAgain()}
        >
          Order again
        </Button>
      )}
      <Button component="a" variant="default" href={`/orders/${order.id}/receipt.pdf`}>
        Receipt (PDF)
      </Button>
      {problem && (
        <div role="alert" className={classes.problem}>
          <p>{problem}</p>
          <LinkButton to="/shops" variant="default" size="compact-md">
            Find another shop
          </LinkButton>
        </div>
      )}
    </div>
  );
}

/** Loaded on demand: only looking at an order does not need it. */
const importOrderAgain = importOnline(() => import("../print/order-again.ts"));

/** Creates a draft from an order and opens its shop. */
function useOrderAgain(order: OwnOrderDetail, user: CurrentUser) {
  const { shops } = trpc.useUtils();
  const navigate = useNavigate();
  const isStillHere = useStillHere();
  const [isPreparing, setPreparing] = useState(false);
  /** Why it cannot be repeated. */
  const [problem, setProblem] = useState<string | null>(null);

  async function orderAgain(): Promise<void> {
    setPreparing(true);
    setProblem(null);
    try {
      const shop = await shops.byId.fetch({ id: order.shop.id }, { staleTime: 0, retry: false });
      const { fillDraftAgain } = await importOrderAgain();
      if (!isStillHere()) return;
      fillDraftAgain(user._id, shop, order);
      await navigate({ to: "/printnow", search: { id: shop._id } });
    } catch (error) {
      setProblem(
        codeOf(error) === "NOT_FOUND" ? `${order.shop.name} is no longer at Print Store.` : messageOf(error),
      );
    } finally {
      setPreparing(false);
    }
  }

  return { orderAgain, isPreparing, problem };
}

const RatingForm = lazyPart(async () => (await import("./rating-form.tsx")).RatingForm);

/**
 * Lets the student give one to five stars once the order is delivered, and change them later. The page can be used before
 * the script of the stars has come.
 */
function OrderRating({ order }: { order: OwnOrderDetail }) {
  if (order.state !== "delivered") return null;
  return (
    <Card title="Your rating" aside={order.stars === null ? undefined : starsText(order.stars)}>
      <p className={classes.ratingText}>
        How was your order from {order.shop.name}? Your stars count towards its rating.
      </p>
      <div className={classes.rating}>
        <ClientOnly>
          <Suspense>
            <RatingForm order={order} />
          </Suspense>
        </ClientOnly>
      </div>
    </Card>
  );
}
