import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { trpc } from "#client/lib/trpc.ts";
import { indianTime } from "#shared/indian-time.ts";
import { reportableUntil } from "#shared/reprints.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import type { OrderDetail } from "../orders/own-order.ts";
import { Card } from "../print/card.tsx";
import classes from "./report.module.css";
import { ReportView } from "./report-view.tsx";

const ReportForm = lazy(async () => ({ default: (await import("./report-form.tsx")).ReportForm }));
const ReprintUpload = lazy(async () => ({ default: (await import("./reprint-upload.tsx")).ReprintUpload }));

/** What can be done, and was done, about printing errors of an order; nothing where there is nothing to say. */
export function OrderReprint({ order, user }: { order: OrderDetail; user: CurrentUser }) {
  const { data } = trpc.reprints.own.useQuery(
    { orderId: order.id },
    {
      staleTime: 0,
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) => state.data?.reportableMs || false,
    },
  );
  if (!data) return null;
  const { report, reprint, reprintOf, reportableMs, maxPages, files } = data;
  return (
    <>
      {reprintOf && (
        <Card title="Reprint">
          <p>
            This order prints{" "}
            <Link to="/orders/$id" params={{ id: reprintOf.id }}>
              order {reprintOf.number}
            </Link>{" "}
            again, free of charge.
          </p>
        </Card>
      )}
      {(report || reportableMs > 0) && (
        <Card title="Printing errors">
          {report ? <ReportView report={report} reprint={reprint} /> : <ReportOffer order={order} />}
        </Card>
      )}
      {report?.state === "accepted" && (
        <Suspense>
          <ReprintUpload orderId={order.id} user={user} maxPages={maxPages} printed={files} />
        </Suspense>
      )}
    </>
  );
}

function ReportOffer({ order }: { order: OrderDetail }) {
  const [isReporting, setReporting] = useState(false);
  const deliveredAt = order.reached.find(({ state }) => state === "delivered")?.at;
  if (isReporting) {
    return (
      <Suspense>
        <ReportForm orderId={order.id} onCancel={() => setReporting(false)} />
      </Suspense>
    );
  }
  return (
    <div className={classes.report}>
      <p>
        If something is printed wrongly, tell the shop
        {deliveredAt && ` until ${indianTime(reportableUntil(deliveredAt))}`}, and it is printed again free of
        charge.
      </p>
      <Button variant="default" onClick={() => setReporting(true)}>
        Report a printing error
      </Button>
    </div>
  );
}
