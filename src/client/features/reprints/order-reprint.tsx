import { Button } from "@mantine/core";
import { ClientOnly, Link } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import type { OwnReprint } from "#server/orders/reprints/reprints.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import { type ReprintState, reportableUntil } from "#shared/reprints.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { takeFocus } from "#ui/focus.ts";
import { Said } from "#ui/said.tsx";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { lazyPart } from "../../ui/lazy.tsx";
import classes from "./report.module.css";

const ReportForm = lazyPart(async () => (await import("./report-form.tsx")).ReportForm);
const ReprintUpload = lazyPart(async () => (await import("./reprint-upload.tsx")).ReprintUpload);

/** Report and reprint of an order's printing errors; nothing if there is neither. */
export function OrderReprint({ order, user }: { order: OwnOrderDetail; user: CurrentUser }) {
  const { data } = trpc.reprints.own.useQuery(
    { orderId: order.id },
    {
      staleTime: 0,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) => state.data?.reportableMs || false,
    },
  );
  const [isSent, setSent] = useState(false);
  if (!data) return null;
  const { report, reprint, reprintOf, isOfferedAgain, reportableMs, maxPages, files } = data;
  return (
    <>
      {reprintOf && (
        <Card title="Reprint">
          <p>
            {isOfferedAgain
              ? "Your free reprint is still available: order it again on the page of "
              : "This is a free reprint of "}
            <Link to="/orders/$id" params={{ id: reprintOf.id }}>
              order {reprintOf.number}
            </Link>
            .
          </p>
        </Card>
      )}
      {(report || reportableMs > 0) && (
        <Card title="Printing errors">
          {report ? (
            <ReportView report={report} reprint={reprint} isSent={isSent} />
          ) : (
            <ReportOffer order={order} user={user} onSent={() => setSent(true)} />
          )}
        </Card>
      )}
      {report?.state === "accepted" && (
        <ClientOnly>
          <Suspense>
            <ReprintUpload order={order} user={user} maxPages={maxPages} printed={files} />
          </Suspense>
        </ClientOnly>
      )}
    </>
  );
}

interface ReportOfferProps {
  order: OwnOrderDetail;
  user: CurrentUser;
  onSent: () => void;
}

function ReportOffer({ order, user, onSent }: ReportOfferProps) {
  const [isReporting, setReporting] = useState(false);
  const [wasLeft, setWasLeft] = useState(false);
  const deliveredAt = order.reached.find(({ state }) => state === "delivered")?.at;
  if (isReporting) {
    return (
      <Suspense>
        <ReportForm
          orderId={order.id}
          user={user}
          onSent={onSent}
          onCancel={() => {
            setReporting(false);
            setWasLeft(true);
          }}
        />
      </Suspense>
    );
  }
  return (
    <div className={classes.report}>
      <p>
        If something was printed wrong, report it
        {deliveredAt && ` by ${indianTime(reportableUntil(deliveredAt))}`}, and the shop prints it again free
        of charge.
      </p>
      <Button variant="default" autoFocus={wasLeft} onClick={() => setReporting(true)}>
        Report a printing error
      </Button>
    </div>
  );
}

/** What the state of a report means to the student. */
const REPORT_TEXTS: Record<ReprintState, string> = {
  reported: "You reported a printing error. The shop will answer here and by email.",
  accepted:
    "The shop accepted a free reprint. Please add your files again: they were deleted after printing.",
  declined: "The shop declined the reprint.",
  ordered: "The shop is printing it again, free of charge.",
};

interface ReportViewProps {
  report: NonNullable<OwnReprint["report"]>;
  /** The reprint's order. */
  reprint: OwnReprint["reprint"];
  /** Sent from this page, where it lies above the form's button that was pressed. */
  isSent: boolean;
}

/** The student's report and the shop's answer. */
function ReportView({ report, reprint, isSent }: ReportViewProps) {
  return (
    <div className={classes.report}>
      <p
        role="status"
        className={classes.state}
        data-report={report.state}
        tabIndex={-1}
        ref={isSent ? takeFocus : undefined}
      >
        {REPORT_TEXTS[report.state]}
      </p>
      <Said by="You" when={indianTime(report.reportedAt)} text={report.reason} />
      {report.photos.length > 0 && (
        <ul className={classes.photos} aria-label="Photos">
          {report.photos.map((path, index) => (
            <li key={path}>
              <a href={path} target="_blank" rel="noreferrer">
                <img src={path} alt={`Open number ${index + 1}`} className={classes.photo} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {report.answeredAt && <Said by="The shop" when={indianTime(report.answeredAt)} text={report.answer} />}
      {reprint && (
        <p>
          The reprint is{" "}
          <Link to="/orders/$id" params={{ id: reprint.id }}>
            order {reprint.number}
          </Link>
          .
        </p>
      )}
    </div>
  );
}
