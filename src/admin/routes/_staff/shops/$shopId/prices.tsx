import { createFileRoute } from "@tanstack/react-router";
import { PricesScreen } from "../../../../features/prices/prices-screen.tsx";

export const Route = createFileRoute("/_staff/shops/$shopId/prices")({ component: PricesPage });

function PricesPage() {
  return <PricesScreen shopId={Route.useParams().shopId} />;
}
