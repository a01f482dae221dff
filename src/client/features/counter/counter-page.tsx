import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { nextState } from "#shared/order-states.ts";
import { VISIT_HOURS } from "#shared/visits.ts";
import { codeOf, messageOf } from "#ui/errors.ts";
import { takeLostFocus } from "#ui/focus.ts";
import { claimBrowser, clearPersonalData, isBrowserOfVisit, visitOwner } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import { useAuth } from "../../lib/session.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Loader } from "../../ui/loader.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { CounterForm } from "./counter-form.tsx";
import { LeaveVisit, VisitOrders } from "./visit-orders.tsx";

interface CounterPageProps {
  shopId: string;
  /** The code that the QR code brought. */
  code: string | undefined;
}

/** The counter of a shop: choose files, see the price, give a name; then how far the order is. */
export function CounterPage({ shopId, code }: CounterPageProps) {
  const page = useCounterPage(shopId);
  const shop = trpc.shops.byId.useQuery({ id: shopId });
  const { userData } = useAuth();
  const [placed, setPlaced] = useState<string>();
  const visit = page.data?.visit ?? null;
  useVisitOfBrowser(visit?.ownerId ?? null, { isKnown: page.data?.isElsewhere === false && !userData });

  const failed = [page, shop].find(({ error, data }) => error && !data);
  if (failed) {
    if (codeOf(failed.error) === "NOT_FOUND" || codeOf(failed.error) === "INVALID_INPUT")
      return <UnknownShop />;
    return <PageFailed query={failed} />;
  }
  if (!page.data || !shop.data) return <Loader />;
  const { name } = page.data.shop;
  if (userData) return <LoggedIn shopId={shopId} shopName={name} />;
  const { counter } = page.data;
  if (!visit) {
    if (!counter.takesOrders)
      return <Notice art="empty" title={`${name} takes no orders here`} text={counter.why} />;
    if (!code) return <ScanCode shopName={name} />;
    return <OpenVisit shopId={shopId} code={code} isElsewhere={page.data.isElsewhere} />;
  }
  return (
    <>
      <DropCode shopId={shopId} code={code} />
      <PageTitle lead={`${name}, ${page.data.shop.location}. No account needed: pay at the counter.`}>
        Print at the counter
      </PageTitle>
      {visit.orders.length > 0 && <VisitOrders shopId={shopId} visit={visit} placed={placed} />}
      {counter.takesOrders ? (
        <CounterForm
          key={visit.ownerId}
          shop={shop.data}
          owner={visitOwner(visit.ownerId)}
          knownName={visit.name}
          isAnother={visit.orders.length > 0}
          endsAt={visit.endsAt}
          onPlaced={setPlaced}
          onVisitOver={() => void page.refetch()}
        />
      ) : (
        <p role="status">{counter.why}</p>
      )}
      {visit.orders.length === 0 && <LeaveVisit shopId={shopId} endsAt={visit.endsAt} hasOrders={false} />}
    </>
  );
}

interface PageFailedProps {
  query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> };
}

function PageFailed({ query }: PageFailedProps) {
  return (
    <Notice art="failed" title="The counter could not be opened" text={messageOf(query.error)}>
      <Button loading={query.isFetching} onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Notice>
  );
}

/** How often the page asks, in ms: while an order is under way or its files are erased, and otherwise for the end of the visit. */
const EVERY = { underWay: 4000, idle: 60_000 };

/** The counter with the visit and its orders, kept up to date while the page is in sight. */
function useCounterPage(shopId: string) {
  return trpc.visits.page.useQuery(
    { shopId },
    {
      staleTime: EVERY.underWay,
      refetchInterval: ({ state: { data } }) => {
        if (!data?.visit) return false;
        const isUnderWay = data.visit.orders.some(
          ({ state, files }) => nextState({ fulfilment: "counter", state }) || files.status === "deleting",
        );
        return isUnderWay ? EVERY.underWay : EVERY.idle;
      },
    },
  );
}

/** Makes the visit the owner of what is stored in this browser; data of a visit that is over is cleared. */
function useVisitOfBrowser(ownerId: string | null, { isKnown }: { isKnown: boolean }): void {
  const shown = useRef<string>(null);
  useEffect(() => {
    // What comes in place of a visit that is over or forgotten is short, and begins above.
    if (shown.current && !ownerId) {
      takeLostFocus(document.getElementById("content"));
      window.scrollTo(0, 0);
    }
    shown.current = ownerId;
  }, [ownerId]);
  useEffect(() => {
    if (!isKnown) return;
    if (ownerId) claimBrowser(visitOwner(ownerId));
    else if (isBrowserOfVisit()) clearPersonalData();
  }, [ownerId, isKnown]);
}

interface OpenVisitProps {
  shopId: string;
  code: string;
  /** Whether this phone shows a visit at another shop, whose place this one takes. */
  isElsewhere: boolean;
}

/** Opens the visit by the code, once, and asks before where another visit would be lost from this phone. */
function OpenVisit({ shopId, code, isElsewhere }: OpenVisitProps) {
  const utils = trpc.useUtils();
  const page = useCounterPage(shopId);
  const open = trpc.visits.open.useMutation({
    onSuccess: () => utils.visits.page.invalidate({ shopId }),
  });
  const isAsked = useRef(false);
  function start() {
    if (isAsked.current) return;
    isAsked.current = true;
    open.mutate({ shopId, code });
  }
  const startAtOnce = useEffectEvent(() => {
    if (!isElsewhere) start();
  });
  useEffect(() => startAtOnce(), []);
  if (isElsewhere && open.isIdle) return <LeaveOther onOpen={start} />;
  if (open.isSuccess && page.isError) return <PageFailed query={page} />;
  if (!open.error) return <Loader />;
  return (
    <Notice art="failed" title="This code does not open the counter" text={messageOf(open.error)}>
      {codeOf(open.error) === "INVALID_INPUT" ? (
        <OrderFromAnywhere />
      ) : (
        <Button loading={open.isPending} onClick={() => open.mutate({ shopId, code })}>
          Try again
        </Button>
      )}
    </Notice>
  );
}

function OrderFromAnywhere() {
  return (
    <LinkButton to="/shops" variant="default">
      Order from anywhere, with an account
    </LinkButton>
  );
}

function LeaveOther({ onOpen }: { onOpen: () => void }) {
  return (
    <Notice
      art="empty"
      title="You are at another counter"
      text="This phone shows one counter at a time. Files that you added at the other shop are removed, and your orders there are no longer shown here: note their numbers first. The shop still prints them."
    >
      <Button onClick={onOpen}>Open this counter</Button>
    </Notice>
  );
}

/** Takes the code out of the address bar once the visit is open, so that it is not passed on with the link. */
function DropCode({ shopId, code }: CounterPageProps) {
  const navigate = useNavigate();
  const drop = useEffectEvent(
    () =>
      void navigate({ to: "/at/$shopId", params: { shopId }, search: {}, replace: true, resetScroll: false }),
  );
  useEffect(() => {
    if (code !== undefined) drop();
  }, [code]);
  return null;
}

function ScanCode({ shopName }: { shopName: string }) {
  return (
    <Notice
      art="missing"
      title="Scan the code at the shop"
      text={`The QR code on the screen or wall of ${shopName} opens its counter for ${VISIT_HOURS} hours. It is a new one every day.`}
    >
      <OrderFromAnywhere />
    </Notice>
  );
}

function LoggedIn({ shopId, shopName }: { shopId: string; shopName: string }) {
  return (
    <Notice
      art="empty"
      title="You are logged in"
      text={`Order at ${shopName} with your account, or log out and scan the code again to order without one.`}
    >
      <LinkButton to="/printnow" search={{ id: shopId }}>
        Order with your account
      </LinkButton>
    </Notice>
  );
}

function UnknownShop() {
  return (
    <Notice
      art="missing"
      title="This shop was not found"
      text="It may have closed, or the link is incomplete."
    >
      <LinkButton to="/shops" variant="default">
        Find a print shop
      </LinkButton>
    </Notice>
  );
}
